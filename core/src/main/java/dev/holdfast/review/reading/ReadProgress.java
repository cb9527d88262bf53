package dev.holdfast.review.reading;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.reading.Ranges.Range;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How much of the content a reviewer has been shown.
 *
 * @param reviewer null: unknown
 * @param whole the length of the content
 */
public record ReadProgress(String revision, @Nullable String reviewer, Ranges ranges, int whole) {
    private static final int MAX_NAMED = 3;
    private static final int MAX_TOLD = 20;

    public boolean all() {
        return missing().isEmpty();
    }

    private List<Range> missing() {
        return ranges.missing(whole);
    }

    /** @throws RefusedException saying what is missing and what to call */
    void checkAll() {
        List<Range> missing = missing();
        if (missing.isEmpty()) {
            return;
        }
        int offset = missing.getFirst().from();
        String name = reviewer == null ? "your name" : "\"" + reviewer + "\"";
        throw new RefusedException(
                RefusalCode.UNREAD,
                "Unread: " + what(missing) + " Read it with get_proposal (caller_id: " + name
                        + (offset == 0 ? "" : ", offset: " + offset)
                        + "), continuing at next_offset until there is none; then approve"
                        + (reviewer == null ? ", with the same name as reviewer_id." : "."),
                Map.of(
                        "missing",
                        missing.stream()
                                .limit(MAX_TOLD)
                                .map(range -> Map.of("offset", range.from(), "limit", range.length()))
                                .toList()));
    }

    private String what(List<Range> missing) {
        if (reviewer == null) {
            return "no reviewer was named, so nothing shows who has read revision " + revision + ".";
        }
        if (ranges.equals(Ranges.NONE)) {
            return reviewer + " was shown nothing of revision " + revision + ", which has " + number(whole)
                    + " characters.";
        }
        int more = missing.size() - MAX_NAMED;
        return reviewer + " was not shown characters "
                + missing.stream()
                        .limit(MAX_NAMED)
                        .map(range -> number(range.from()) + "-" + number(range.to()))
                        .collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more parts" : "") + " of revision " + revision + ", which has "
                + number(whole) + ".";
    }

    private static String number(int count) {
        return String.format(Locale.ROOT, "%,d", count);
    }
}
