package dev.holdfast.claim;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One call of a random sequence. The fence that it shows is chosen relative to the model's state at that moment. */
sealed interface Step {
    /** The call itself, with its fences filled in; applied to a subject, it returns that subject's answer. */
    Function<Subject, Object> call(ModelClaims model);

    /** Which generation is shown, as an offset from the current one; null: none. */
    record Shown(@Nullable Integer off) {
        @Nullable
        Long of(ModelClaims model, Resource resource) {
            return off == null ? null : Long.valueOf(model.fence(resource) + off);
        }
    }

    /** Who shows it: this holder, or (null) whoever has the thing now or had it last. */
    record Who(@Nullable String name) {
        @Nullable
        String of(ModelClaims model, Resource resource) {
            return name == null ? model.holder(resource) : name;
        }
    }

    record FenceShown(Who who, Shown generation) {
        Fence of(ModelClaims model, Resource resource) {
            return new Fence(who.of(model, resource), generation.of(model, resource));
        }
    }

    record Create(NewResource made, @Nullable Duration dueIn) implements Step {
        @Override
        public Function<Subject, Object> call(ModelClaims model) {
            NewResource whole =
                    dueIn == null ? made : made.notBefore(model.now().plus(dueIn));
            return subject -> subject.create(whole);
        }
    }

    record ClaimOne(
            Resource resource,
            String holder,
            Duration ttl,
            @Nullable String requestId,
            Shown shown) implements Step {
        @Override
        public Function<Subject, Object> call(ModelClaims model) {
            ClaimRequest asked = ClaimRequest.of(resource, holder)
                    .ttl(ttl)
                    .requestId(requestId)
                    .generation(shown.of(model, resource));
            return subject -> subject.claim(asked);
        }
    }

    record ClaimSoftly(Resource resource, Resource outer, Who who, Shown shown) implements Step {
        @Override
        public Function<Subject, Object> call(ModelClaims model) {
            Long generation = shown.of(model, outer);
            String holder = who.of(model, outer);
            if (resource.equals(outer) || generation == null) {
                return _ -> "cannot be asked";
            }
            ClaimRequest asked = ClaimRequest.of(resource, holder == null ? "nobody" : holder)
                    .under(new OuterClaim(outer, generation));
            return subject -> subject.claim(asked);
        }
    }

    record ClaimNext(
            Kind kind,
            @Nullable String queue,
            Set<String> labels,
            String holder,
            Duration ttl,
            @Nullable String requestId)
            implements Step {
        NextRequest asked() {
            return NextRequest.of(kind, holder)
                    .filter(new Filter(queue, labels))
                    .ttl(ttl)
                    .requestId(requestId);
        }

        @Override
        public Function<Subject, Object> call(ModelClaims model) {
            return subject -> subject.claimNext(asked());
        }
    }

    record Beat(Resource resource, FenceShown fence) implements Step {
        @Override
        public Function<Subject, Object> call(ModelClaims model) {
            Fence shown = fence.of(model, resource);
            return subject -> subject.heartbeat(resource, shown);
        }
    }

    record BeatAll(String holder, boolean answered) implements Step {
        @Override
        public Function<Subject, Object> call(ModelClaims model) {
            return subject -> {
                HolderHeartbeat beat = subject.heartbeat(holder);
                if (answered) {
                    subject.markReported(holder, beat.lost());
                }
                return beat;
            };
        }
    }

    record Guard(Resource resource, FenceShown fence) implements Step {
        @Override
        public Function<Subject, Object> call(ModelClaims model) {
            Fence shown = fence.of(model, resource);
            return subject -> subject.guard(resource, shown);
        }
    }

    record End(Resource resource, FenceShown fence, Ending ending) implements Step {
        @Override
        public Function<Subject, Object> call(ModelClaims model) {
            Fence shown = fence.of(model, resource);
            return subject -> subject.end(resource, shown, ending);
        }
    }

    record EndAndNext(Resource resource, FenceShown fence, Ending ending, ClaimNext next) implements Step {
        @Override
        public Function<Subject, Object> call(ModelClaims model) {
            Fence shown = fence.of(model, resource);
            return subject -> subject.completeAndNext(resource, shown, ending, next.asked());
        }
    }

    record ReleaseAll(String holder, @Nullable String note) implements Step {
        @Override
        public Function<Subject, Object> call(ModelClaims model) {
            return subject -> subject.releaseAll(holder, note);
        }
    }

    record Reclaim(Resource resource, int off) implements Step {
        @Override
        public Function<Subject, Object> call(ModelClaims model) {
            long expected = model.fence(resource) + off;
            return subject -> subject.reclaim(resource, expected, "operator");
        }
    }

    record Unblock(Resource resource) implements Step {
        @Override
        public Function<Subject, Object> call(ModelClaims model) {
            return subject -> subject.unblock(resource);
        }
    }

    record Sweep(int max) implements Step {
        @Override
        public Function<Subject, Object> call(ModelClaims model) {
            return subject -> subject.sweep(max);
        }
    }

    record DropIdle() implements Step {
        @Override
        public Function<Subject, Object> call(ModelClaims model) {
            return Subject::dropIdle;
        }
    }

    record Advance(Duration step) implements Step {
        @Override
        public Function<Subject, Object> call(ModelClaims model) {
            return subject -> {
                subject.advance(step);
                return List.of();
            };
        }
    }
}
