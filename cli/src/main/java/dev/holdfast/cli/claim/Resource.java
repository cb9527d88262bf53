package dev.holdfast.cli.claim;

/** Resources as people name them: {@code kind:id}, or just the id of a work item. */
public final class Resource {
    private Resource() {}

    /** Whatever has no kind before a colon is the id of a work item. */
    public static String named(String text) {
        return isItem(text) ? "work:" + text : text;
    }

    /** Why a claim on it is not found without its generation. */
    static String unknown(String resource, String holder) {
        return "needs --generation N, the claim's generation ('holdfast who' shows it): " + resource
                + " was not claimed here by " + holder
                + (resource.startsWith("work:") && resource.matches(".*[/*].*")
                        ? "; reserved files are released by the reservation's name, such as reservation:4ec60500"
                        : "");
    }

    public static boolean isItem(String text) {
        return text.indexOf(':') < 0;
    }
}
