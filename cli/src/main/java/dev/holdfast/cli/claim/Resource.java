package dev.holdfast.cli.claim;

/** Resources as people name them: {@code kind:id}, or just the id of a work item. */
public final class Resource {
    private Resource() {}

    /** Whatever has no kind before a colon is the id of a work item. */
    public static String named(String text) {
        return isItem(text) ? "work:" + text : text;
    }

    /** Whether somebody has named files where a work item was expected. */
    static boolean isFile(String resource) {
        return resource.startsWith("work:") && resource.matches(".*[/*].*");
    }

    public static boolean isItem(String text) {
        return text.indexOf(':') < 0;
    }
}
