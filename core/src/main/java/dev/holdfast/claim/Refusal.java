package dev.holdfast.claim;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Why a call was refused. Nothing was changed. Each refusal has a code for programs and a message for people. */
public sealed interface Refusal extends ClaimOutcome, HeartbeatOutcome, EndOutcome {
    RefusalCode code();

    String message();

    /**
     * Somebody else holds it, or the same holder by a different request.
     *
     * @param remaining how much of its lease is left, by the store's clock
     * @param under the outer claim, if it is held softly
     */
    record Held(
            Resource resource,
            String holder,
            Instant since,
            Instant expiresAt,
            Duration remaining,
            @Nullable OuterClaim under)
            implements Refusal {
        @Override
        public RefusalCode code() {
            return RefusalCode.HELD;
        }

        @Override
        public String message() {
            return resource + " is held by " + holder + " until " + expiresAt.truncatedTo(ChronoUnit.MILLIS)
                    + "; take something else, or wait for it";
        }
    }

    /** It is blocked, done or not due yet. */
    record NotClaimable(Resource resource, String state) implements Refusal {
        @Override
        public RefusalCode code() {
            return RefusalCode.NOT_CLAIMABLE;
        }

        @Override
        public String message() {
            return resource + " cannot be claimed: it is " + state;
        }
    }

    record NotFound(Resource resource) implements Refusal {
        @Override
        public RefusalCode code() {
            return RefusalCode.NOT_FOUND;
        }

        @Override
        public String message() {
            return resource + " does not exist";
        }
    }

    /** The caller's claim is gone; this is who has it now, if anybody. */
    record Lost(Resource resource, @Nullable String holder, long generation) implements Refusal {
        @Override
        public RefusalCode code() {
            return RefusalCode.LOST;
        }

        @Override
        public String message() {
            if (generation == 0) {
                return "nobody has ever held " + resource + "; claim it first";
            }
            return "your claim on " + resource + " is lost: "
                    + (holder == null ? "nobody holds it now" : holder + " holds it now")
                    + " (generation " + generation + "); stop working on it, or claim it again";
        }
    }

    record FenceMissing(Resource resource) implements Refusal {
        @Override
        public RefusalCode code() {
            return RefusalCode.FENCE_MISSING;
        }

        @Override
        public String message() {
            return "a change to " + resource + " needs holder and claim_generation, as the claim gave them";
        }
    }

    record Stale(Resource resource, long shown, long current) implements Refusal {
        @Override
        public RefusalCode code() {
            return RefusalCode.STALE;
        }

        @Override
        public String message() {
            return "claim_generation " + shown + " of " + resource + " is not the current one, " + current
                    + "; stop working on it, or claim it again";
        }
    }

    record WrongHolder(Resource resource, String shown, String current) implements Refusal {
        @Override
        public RefusalCode code() {
            return RefusalCode.WRONG_HOLDER;
        }

        @Override
        public String message() {
            return resource + " was given to " + current + ", not to " + shown;
        }
    }

    record NotHeld(Resource resource) implements Refusal {
        @Override
        public RefusalCode code() {
            return RefusalCode.NOT_HELD;
        }

        @Override
        public String message() {
            return "nobody holds " + resource + "; claim it first";
        }
    }

    /** This grant has already ended in a different way. */
    record BadState(Resource resource, String firstOutcome) implements Refusal {
        @Override
        public RefusalCode code() {
            return RefusalCode.BAD_STATE;
        }

        @Override
        public String message() {
            return "this claim on " + resource + " has already ended: it was " + firstOutcome;
        }
    }

    /**
     * The domain that the resource belongs to refuses, in its own words.
     *
     * @param what the resource, or what was asked for
     */
    record ByItsRules(String what, RefusalCode code, String message) implements Refusal {}

    /** Contention or an outage outlasted the retries. It never means that somebody else holds the resource. */
    record Busy(String reason) implements Refusal {
        @Override
        public RefusalCode code() {
            return RefusalCode.BUSY;
        }

        @Override
        public String message() {
            return reason;
        }
    }
}
