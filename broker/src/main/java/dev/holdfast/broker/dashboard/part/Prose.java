package dev.holdfast.broker.dashboard.part;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Somebody's text, with what is between backticks as code. */
public final class Prose {
    private static final Pattern CODE = Pattern.compile("`([^`\n]{1,200})`");

    private Prose() {}

    public record Piece(boolean code, String text) {}

    public static List<Piece> of(String text) {
        List<Piece> pieces = new ArrayList<>();
        Matcher code = CODE.matcher(text);
        int at = 0;
        while (code.find()) {
            add(pieces, text.substring(at, code.start()));
            pieces.add(new Piece(true, code.group(1)));
            at = code.end();
        }
        add(pieces, text.substring(at));
        return pieces;
    }

    private static void add(List<Piece> pieces, String text) {
        if (!text.isEmpty()) {
            pieces.add(new Piece(false, text));
        }
    }
}
