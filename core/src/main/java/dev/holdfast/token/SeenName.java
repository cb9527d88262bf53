package dev.holdfast.token;

import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/** Compares names as people see them: two names with the same {@link #of} cannot be told apart. */
public final class SeenName {
    /** Characters of zero width, and those that fonts show as nothing. */
    private static final Pattern UNSEEN = Pattern.compile(
            "[\\p{Cf}\\p{Cc}\\x{34F}\\x{115F}\\x{1160}\\x{17B4}\\x{17B5}\\x{180B}-\\x{180F}\\x{2800}\\x{3164}"
                    + "\\x{FE00}-\\x{FE0F}\\x{E0100}-\\x{E01EF}]");

    /** Letters of other scripts that look like Latin ones, and those, in the same order. */
    private static final String ALIKE =
            "АВЕКМНОРСТУХІЈЅԚԜ" + "аекорсухіјѕԁһԛԝӏ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "αικνορυχ" + "ıɑɡ";

    private static final String LATIN =
            "ABEKMHOPCTYXIJSQW" + "aekopcyxijsdhqwl" + "ABEZHIKMNOPTYX" + "aikvopux" + "iag";

    private SeenName() {}

    /**
     * Removes what people cannot see or tell apart: invisible characters, surrounding blanks, variant forms of letters,
     * letters of other scripts that look the same, case.
     */
    public static String of(String name) {
        String seen = UNSEEN.matcher(Normalizer.normalize(name, Normalizer.Form.NFKC))
                .replaceAll("")
                .strip();
        return latin(seen).toLowerCase(Locale.ROOT);
    }

    private static String latin(String text) {
        StringBuilder latin = new StringBuilder(text);
        for (int i = 0; i < latin.length(); i++) {
            int alike = ALIKE.indexOf(latin.charAt(i));
            if (alike >= 0) {
                latin.setCharAt(i, LATIN.charAt(alike));
            }
        }
        return latin.toString();
    }
}
