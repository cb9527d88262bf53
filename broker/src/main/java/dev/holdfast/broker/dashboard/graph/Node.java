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
    private static final int FITS = 21;
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
        int[] letters = text.codePoints().toArray();
        double width = 0;
        int fits = 0;
        for (int i = 0; i < letters.length; i++) {
            width += width(letters[i]);
            if (width <= max - 1) {
                fits = i + 1; // so many leave room for the dots
            }
        }
        return width <= max ? text : new String(letters, 0, fits).stripTrailing() + "…";
    }

    /** How wide a letter is, roughly, in letters. */
    private static double width(int letter) {
        return "ijlftrI.,:;'|!() -".indexOf(letter) >= 0
                ? 0.6
                : "mwMW@%".indexOf(letter) >= 0 || letter > 0x2000 ? 1.5 : Character.isUpperCase(letter) ? 1.2 : 1;
    }
}
