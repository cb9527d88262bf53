package dev.holdfast.broker.verb;

import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Text;
import dev.holdfast.work.Overlap;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The body of a refusal; which fields it has depends on the code. */
record RefusalBody(
        @Field(value = "what happened and what to do, for people", longest = Text.LONGEST_NOTE)
        String error,

        @Field(value = "error code for programs", longest = 20)
        RefusalCode code,

        @Inline @Nullable OfClaim claim,

        @Field(value = "why a diff does not apply", longest = Text.LONGEST_NOTE) @Nullable
        String validationError,

        @Field(value = "ids of the blocking findings", longest = 20) @Nullable
        List<String> findings,

        @Field("parts of the content that must be read first, as get_proposal takes them") @Nullable
        List<Missing> missing,

        @Field("conflicting reservations") @Nullable List<ReservationJson> overlaps,

        @Field(value = "ids that start with the one given", longest = 300) @Nullable
        List<String> candidates,

        @Field("try again after this many seconds") @Nullable
        Double retryAfterSeconds,

        @Field("the maximum number of reviewers") @Nullable Integer maxPoolSize,

        @Field(value = "what to look for in the broker's log", longest = 20) @Nullable
        String id) {

    record Missing(
            @Field("from this character on") long offset,

            @Field(value = "this many characters", min = 1) long limit) {}

    /** The state of the claim in question. */
    record OfClaim(
            @Field(value = "what it is about", longest = CommonFields.LONGEST_RESOURCE) @Nullable
            String resource,

            @Field("who holds it now") @Nullable String holder,

            @Field("its generation now") @Nullable Long claimGeneration,

            @Field("when it was claimed") @Nullable Instant claimedAt,
            @Field("when it expires") @Nullable Instant expiresAt,

            @Field("the outer claim that a soft claim depends on") @Nullable
            OuterClaimJson under,

            @Field("why it cannot be claimed") @Nullable String state,

            @Field("how the claim ended before") @Nullable String outcome) {
        private OfClaim(Object resource, @Nullable String holder, @Nullable Long generation) {
            this(resource.toString(), holder, generation, null, null, null, null, null);
        }

        static @Nullable OfClaim of(Refusal refusal) {
            return switch (refusal) {
                case Refusal.Held held ->
                    new OfClaim(
                            held.resource().toString(),
                            held.holder(),
                            null,
                            held.since(),
                            held.expiresAt(),
                            OuterClaimJson.of(held.under()),
                            null,
                            null);
                case Refusal.NotClaimable blocked ->
                    new OfClaim(blocked.resource().toString(), null, null, null, null, null, blocked.state(), null);
                case Refusal.NotFound missing -> new OfClaim(missing.resource(), null, null);
                case Refusal.Lost lost -> new OfClaim(lost.resource(), lost.holder(), lost.generation());
                case Refusal.FenceMissing missing -> new OfClaim(missing.resource(), null, null);
                case Refusal.Stale stale -> new OfClaim(stale.resource(), null, stale.current());
                case Refusal.WrongHolder wrong -> new OfClaim(wrong.resource(), wrong.current(), null);
                case Refusal.NotHeld free -> new OfClaim(free.resource(), null, null);
                case Refusal.BadState ended ->
                    new OfClaim(ended.resource().toString(), null, null, null, null, null, null, ended.firstOutcome());
                case Refusal.ByItsRules rules -> new OfClaim(rules.what(), null, null);
                case Refusal.Busy _ -> null;
            };
        }

        static OfClaim heldBy(String holder) {
            return new OfClaim(null, holder, null, null, null, null, null, null);
        }
    }

    static RefusalBody of(RefusalCode code, String text, @Nullable String id) {
        return new RefusalBody(text, code, null, null, null, null, null, null, null, null, id);
    }

    static RefusalBody of(RefusedException refused) {
        Map<String, Object> details = refused.details();
        Refusal refusal = refused.refusal();
        return new RefusalBody(
                String.valueOf(refused.getMessage()),
                refused.code(),
                refusal != null
                        ? OfClaim.of(refusal)
                        : details.get("holder") instanceof String holder ? OfClaim.heldBy(holder) : null,
                (String) details.get("validation_error"),
                texts(details.get("findings")),
                details.get("missing") instanceof List<?> parts
                        ? parts.stream().map(RefusalBody::missing).toList()
                        : null,
                details.get("overlaps") instanceof List<?> overlaps
                        ? overlaps.stream()
                                .map(overlap -> ReservationJson.of((Overlap) overlap))
                                .toList()
                        : null,
                texts(details.get("candidates")),
                (Double) details.get("retry_after_seconds"),
                (Integer) details.get("max_pool_size"),
                null);
    }

    private static @Nullable List<String> texts(@Nullable Object detail) {
        return detail instanceof List<?> several
                ? several.stream().map(String.class::cast).toList()
                : null;
    }

    private static Missing missing(Object part) {
        Map<?, ?> range = (Map<?, ?>) part;
        return new Missing(number(range, "offset"), number(range, "limit"));
    }

    private static long number(Map<?, ?> range, String name) {
        return ((Number) Objects.requireNonNull(range.get(name))).longValue();
    }
}
