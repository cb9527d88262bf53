package dev.holdfast.claim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Draws steps over few resources, holders and queues, so that they often collide. The weights make most calls sensible:
 * a sequence of refusals alone would prove little.
 */
final class RandomSteps {
    static final List<Resource> THINGS = List.of("work:1", "work:2", "work:3", "work:4", "step:1").stream()
            .map(Resource::parse)
            .toList();
    static final List<Resource> KEYS = List.of("key:a", "key:b", "path:src/Main.java").stream()
            .map(Resource::parse)
            .toList();
    private static final List<String> HOLDERS = List.of("ann", "bob", "cid");
    private static final List<String> QUEUES = List.of("", "red");
    private static final List<String> LABELS = List.of("java", "docs");

    private final RandomGenerator random;

    RandomSteps(RandomGenerator random) {
        this.random = random;
    }

    /** Most things are created first; the rest is random. */
    List<Step> sequence(int length) {
        List<Step> steps = new ArrayList<>();
        for (Resource thing : THINGS) {
            if (random.nextInt(8) > 0) {
                steps.add(create(thing));
            }
        }
        while (steps.size() < length) {
            steps.add(next());
        }
        return steps;
    }

    Step next() {
        int choice = random.nextInt(100);
        if (choice < 16) {
            return claim(anything());
        } else if (choice < 31) {
            return claimNext();
        } else if (choice < 38) {
            return new Step.ClaimSoftly(anything(), anything(), who(), shown());
        } else if (choice < 46) {
            return new Step.Beat(anything(), fence());
        } else if (choice < 51) {
            return new Step.BeatAll(holder(), random.nextBoolean());
        } else if (choice < 55) {
            return new Step.Guard(anything(), fence());
        } else if (choice < 68) {
            return new Step.End(anything(), fence(), ending());
        } else if (choice < 75) {
            return new Step.EndAndNext(one(THINGS), fence(), ending(), claimNext());
        } else if (choice < 77) {
            return new Step.ReleaseAll(holder(), maybe("good night", 2));
        } else if (choice < 81) {
            return new Step.Reclaim(anything(), random.nextInt(4) == 0 ? -1 : 0);
        } else if (choice < 84) {
            return new Step.Sweep(random.nextInt(1, 4));
        } else if (choice < 87) {
            return new Step.Unblock(one(THINGS));
        } else if (choice < 89) {
            return create(anything());
        } else if (choice < 90) {
            return new Step.DropIdle();
        }
        return new Step.Advance(one(List.of(
                Duration.ofMillis(1),
                Duration.ofSeconds(1),
                Duration.ofSeconds(9),
                Duration.ofMinutes(1),
                Duration.ofHours(1),
                Duration.ofHours(11))));
    }

    Step claim(Resource resource) {
        return new Step.ClaimOne(
                resource, holder(), ttl(), maybe(one(List.of("r1", "r2")), 3), random.nextInt(4) == 0 ? shown() : NONE);
    }

    Step endOrBeat(Resource resource) {
        return random.nextBoolean() ? new Step.End(resource, fence(), ending()) : new Step.Beat(resource, fence());
    }

    private Step.ClaimNext claimNext() {
        return new Step.ClaimNext(
                random.nextInt(5) == 0 ? Kind.STEP : Kind.WORK,
                maybe(one(QUEUES), 2),
                random.nextInt(3) == 0 ? Set.of(one(LABELS)) : Set.of(),
                holder(),
                ttl(),
                maybe(one(List.of("n1", "n2")), 3));
    }

    private Step create(Resource resource) {
        Set<String> labels = random.nextBoolean() ? Set.of() : Set.of(one(LABELS));
        NewResource made = NewResource.of(resource)
                .queue(one(QUEUES))
                .priority(random.nextInt(3))
                .labels(random.nextInt(4) == 0 ? Set.copyOf(LABELS) : labels)
                .blocked(random.nextInt(10) == 0)
                .maxAttempts(random.nextBoolean() ? null : Integer.valueOf(random.nextInt(1, 4)));
        return new Step.Create(made, maybe(Duration.ofSeconds(random.nextInt(1, 12)), 5));
    }

    private Ending ending() {
        return switch (random.nextInt(7)) {
            case 0 -> Ending.released(null);
            case 1 -> Ending.released("left it half done");
            case 2 -> Ending.released(null, true);
            case 3 -> Ending.failed("does not compile", null);
            case 4 -> Ending.failed("does not compile", Duration.ofSeconds(5));
            case 5 -> Ending.completed("done", "sha-2");
            default -> Ending.completed("done");
        };
    }

    private static final Step.Shown NONE = new Step.Shown(null);

    private Step.FenceShown fence() {
        return new Step.FenceShown(who(), shown());
    }

    private Step.Who who() {
        return new Step.Who(random.nextInt(4) == 0 ? holder() : null);
    }

    private Step.Shown shown() {
        return switch (random.nextInt(10)) {
            case 0 -> new Step.Shown(-1);
            case 1 -> new Step.Shown(1);
            case 2 -> NONE;
            default -> new Step.Shown(0);
        };
    }

    private Duration ttl() {
        return one(List.of(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofHours(2)));
    }

    private String holder() {
        return one(HOLDERS);
    }

    private Resource anything() {
        return random.nextInt(3) == 0 ? one(KEYS) : one(THINGS);
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private <T> @Nullable T maybe(T value, int oneIn) {
        return random.nextInt(oneIn) == 0 ? value : null;
    }
}
