package dev.holdfast.cli.review;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A path as git writes it in a diff: quoted and escaped byte by byte if it has non-ASCII characters. */
final class QuotedPath {
    private static final String LETTERS = "abtnvfr";
    private static final String MEANT = "\u0007\b\t\n\u000b\f\r";

    private QuotedPath() {}

    static String plain(String written) {
        if (written.length() < 2 || !written.startsWith("\"") || !written.endsWith("\"")) {
            return written;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String inside = written.substring(1, written.length() - 1);
        for (int i = 0; i < inside.length(); i++) {
            char c = inside.charAt(i);
            if (c != '\\' || i + 1 == inside.length()) {
                bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
            } else if (inside.substring(i + 1).matches("(?s)[0-3][0-7]{2}.*")) {
                bytes.write(Integer.parseInt(inside, i + 1, i + 4, 8));
                i += 3;
            } else {
                i++;
                int letter = LETTERS.indexOf(inside.charAt(i));
                bytes.write(letter < 0 ? inside.charAt(i) : MEANT.charAt(letter));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
