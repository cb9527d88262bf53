package dev.holdfast.broker.verb;

import dev.holdfast.work.Overlap;
import java.time.Instant;
import java.util.List;

/** A path reservation as others see it. */
public record ReservationJson(
        @Field(value = "the reservation", longest = CommonFields.LONGEST_RESOURCE)
        String resource,

        @Field("who holds it") String holder,

        @Field(value = "what it covers", longest = 1_000) List<String> paths,
        @Field("nobody else may reserve them") boolean exclusive,
        @Field("until when, unless extended") Instant expiresAt) {
    public static ReservationJson of(Overlap overlap) {
        return new ReservationJson(
                "reservation:" + overlap.reservation(),
                overlap.holder(),
                overlap.paths(),
                overlap.exclusive(),
                overlap.expiresAt());
    }
}
