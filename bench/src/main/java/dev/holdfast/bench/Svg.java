package dev.holdfast.bench;

import java.util.Locale;

/** An SVG picture that is readable on light and dark backgrounds, without scripts. */
final class Svg {
    /** Ours and others, good and bad: also distinguished by words and shapes, never by colour alone. */
    private static final String STYLE = """
            <style>
            svg { color-scheme: light dark; --ink: #1f2328; --quiet: #59636e; --line: #d1d9e0; --ground: #ffffff; --ours: #0969da;
              --other: #9aa4af; --met: #1a7f37; --missed: #cf222e; --c1: #0969da; --c2: #bc4c00; --c3: #1a7f37; --c4: #8250df; --c5: #59636e }
            @media (prefers-color-scheme: dark) { svg { --ink: #f0f6fc; --quiet: #9198a1; --line: #3d444d; --ground: #0d1117;
              --ours: #4493f8; --other: #656c76; --met: #3fb950; --missed: #f85149; --c1: #4493f8; --c2: #db6d28; --c3: #3fb950;
              --c4: #ab7df8; --c5: #9198a1 } }
            text { font: 13px -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: var(--ink) }
            .title { font-size: 16px; font-weight: 600 } .quiet { fill: var(--quiet); font-size: 12px }
            .met { fill: var(--met); font-weight: 600 } .missed { fill: var(--missed); font-weight: 600 }
            .number { font-variant-numeric: tabular-nums; font-weight: 600 }
            .ground { fill: var(--ground) } .ours { fill: var(--ours) } .other { fill: var(--other) } .track { fill: var(--line); opacity: 0.45 }
            .goal { stroke: var(--ink); stroke-width: 2 } .goalhead { fill: var(--ink) } .axis { stroke: var(--line) }
            </style>
            """;

    private final int width;
    private final StringBuilder body = new StringBuilder();

    Svg(int width) {
        this.width = width;
    }

    Svg text(double x, double y, String classes, String text) {
        return text(x, y, classes, "start", text);
    }

    Svg text(double x, double y, String classes, String anchor, String text) {
        return add(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" text-anchor=\"%s\">%s</text>",
                x,
                y,
                classes,
                anchor,
                escaped(text)));
    }

    Svg bar(double x, double y, double width, double height, String classes) {
        return add(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\" class=\"%s\"/>",
                x,
                y,
                Math.max(width, 1),
                height,
                classes));
    }

    Svg line(double x1, double y1, double x2, double y2, String classes) {
        return add(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>",
                x1,
                y1,
                x2,
                y2,
                classes));
    }

    /** Adds any other element. */
    Svg add(String element) {
        body.append(element).append('\n');
        return this;
    }

    /** @param says the description for people who do not see it */
    String finish(double height, String says) {
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\" role=\"img\">%n<title>%s</title>%n",
                        width,
                        height,
                        width,
                        height,
                        escaped(says))
                + STYLE
                + String.format(
                        Locale.ROOT, "<rect width=\"%d\" height=\"%.0f\" rx=\"6\" class=\"ground\"/>%n", width, height)
                + body
                + "</svg>\n";
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** A number with its significant digits only. */
    static String number(double value) {
        return String.format(
                Locale.ROOT, value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f", value);
    }

    /** A number that somebody chose, without needless digits. */
    static String bound(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%,.0f", value) : Double.toString(value);
    }
}
