package dev.holdfast.broker.dashboard.page;

import dev.holdfast.agent.Agent;
import dev.holdfast.claim.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holders that have gone quiet: they hold something and have shown no sign of life for more than half of their lease.
 * They may be gone, and they hold up whoever waits for them.
 */
public final class QuietHolders {
    private QuietHolders() {}

    /**
     * The last sign of life: a renewal of any of its claims, or something that its session did.
     *
     * @param claims of one holder, at least one if it has no session
     */
    public static Instant heard(List<Claim> claims, @Nullable Agent session) {
        Instant heard = session == null ? Instant.MIN : session.lastSeenAt();
        for (Claim claim : claims) {
            heard = claim.renewedAt().isAfter(heard) ? claim.renewedAt() : heard;
        }
        return heard;
    }

    /** The claims of one holder that it has gone quiet about. */
    public static List<Claim> of(List<Claim> claims, @Nullable Agent session, Instant now) {
        if (claims.isEmpty()) {
            return List.of();
        }
        Duration silence = Duration.between(heard(claims, session), now);
        return claims.stream()
                .filter(claim ->
                        silence.multipliedBy(2).compareTo(Duration.between(claim.renewedAt(), claim.expiresAt())) > 0)
                .toList();
    }
}
