package dev.holdfast.cli.claim;

/** Parses resources as people type them: {@code kind:id}, or just the id of a work item. */
public final class Resource {
    private Resource() {}

    /** Text without a kind before a colon is the id of a work item. */
    public static String named(String text) {
        return isItem(text) ? "work:" + text : text;
    }

    /** Whether the user named files where a work item was expected. */
    static boolean isFile(String resource) {
        return resource.startsWith("work:") && resource.matches(".*[/*].*");
    }

    public static boolean isItem(String text) {
        return text.indexOf(':') < 0;
    }
}
