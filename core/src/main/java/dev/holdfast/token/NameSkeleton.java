package dev.holdfast.token;

import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A name as people see it.
 *
 * @param text without what they cannot see, and regardless of case
 * @param plain whether it consists of ASCII characters; others are replaced by what they look like
 */
public record NameSkeleton(String text, boolean plain) {
    /** Characters of zero width, and those that fonts show as nothing. */
    private static final Pattern UNSEEN = Pattern.compile(
            "[\\p{Cf}\\p{Cc}\\x{34F}\\x{115F}\\x{1160}\\x{17B4}\\x{17B5}\\x{180B}-\\x{180F}\\x{2800}\\x{3164}"
                    + "\\x{FE00}-\\x{FE0F}\\x{E0100}-\\x{E01EF}]");

    private static final Pattern ASCII = Pattern.compile("\\p{ASCII}*");

    public static NameSkeleton of(String name) {
        String shown = UNSEEN.matcher(Normalizer.normalize(name, Normalizer.Form.NFKC))
                .replaceAll("")
                .strip();
        boolean plain = ASCII.matcher(shown).matches();
        return new NameSkeleton(plain ? lower(shown) : rough(shown), plain);
    }

    /**
     * Whether people could take it for a token's name, or for one below that. Between ASCII characters that look alike,
     * such as l and 1, they are expected to see the difference.
     *
     * @param token a token's name, which is ASCII
     */
    public boolean isTakenFor(String token) {
        String own = plain ? lower(token) : rough(token);
        return text.equals(own) || text.startsWith(own + TeamToken.BELOW);
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** A character of another script may look like several of ASCII, which then count as one. */
    private static String rough(String name) {
        return LookAlikes.asSeen(name)
                .replace('1', 'l')
                .replace('i', 'l')
                .replace('|', 'l')
                .replace('0', 'o')
                .replace("m", "rn");
    }
}
