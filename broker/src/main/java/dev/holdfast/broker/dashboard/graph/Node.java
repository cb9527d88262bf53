package dev.holdfast.broker.dashboard.graph;

import dev.holdfast.broker.dashboard.part.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A node of a graph.
 *
 * @param sub its second line
 * @param look ok, sea, brass, port, off or empty, as in the style sheet
 * @param path where its link leads
 * @param lease what is left of its claim, if somebody holds it
 * @param done nothing waits for it any more
 */
public record Node(
        String id,
        String title,
        String sub,
        String look,
        String icon,
        String path,
        @Nullable Lease lease,
        boolean done) {
    private static final int FITS = 24;
    private static final int FITS_BELOW = 27;
    private static final int FITS_BESIDE_ROPE = 19;

    /** It ended without being done. */
    boolean leftOut() {
        return done && look.equals("off");
    }

    public String shortTitle() {
        return cut(title, FITS);
    }

    public String shortSub() {
        return cut(sub, lease == null ? FITS_BELOW : FITS_BESIDE_ROPE);
    }

    private static String cut(String text, int max) {
        return text.codePointCount(0, text.length()) <= max
                ? text
                : text.substring(0, text.offsetByCodePoints(0, max - 1)).stripTrailing() + "…";
    }
}
