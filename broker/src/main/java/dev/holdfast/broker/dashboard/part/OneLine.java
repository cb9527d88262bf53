package dev.holdfast.broker.dashboard.part;

/** Others' text, cut to fit one line. */
public final class OneLine {
    private OneLine() {}

    public static String of(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
    }
}
