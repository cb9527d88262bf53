package dev.holdfast.broker.verb;

import dev.holdfast.broker.config.Config.Limits;
import dev.holdfast.claim.Leases;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The configured limits on arguments, and the defaults for those left out. */
public record Bounds(Limits limits, Leases leases) {
    private static final int USUAL_PAGE = 100;
    private static final Duration LONGEST_FINALIZATION = Duration.ofDays(1);

    public long of(Limit limit) {
        long lease = leases.longest().toSeconds();
        return switch (limit) {
            case NONE -> Long.MAX_VALUE;
            case BODY -> limits.bodyBytes();
            case HALF_BODY -> limits.bodyBytes() / 2;
            case PAGE -> limits.longestList();
            case WAIT -> limits.longestWait().toSeconds();
            case LEASE -> lease;
            case FINALIZATION -> Math.min(LONGEST_FINALIZATION.toSeconds(), lease);
        };
    }

    /** How many entries of a list to return. */
    public int page(@Nullable Integer asked) {
        return asked == null ? Math.min(USUAL_PAGE, limits.longestList()) : asked;
    }

    /** The cursor of the next page, given one id more than fits the page: the last id on this page. */
    public static @Nullable String next(List<String> ids, int page) {
        return ids.size() > page ? ids.get(page - 1) : null;
    }

    String filledIn(String description) {
        return description.replace("{page}", Integer.toString(page(null))).replace("{kinds}", ClaimableKinds.words());
    }
}
