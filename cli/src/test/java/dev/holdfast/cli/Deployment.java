package dev.holdfast.cli;

/** A file with two blocks in which the same lines, three and more, stand around {@code auth: required}. */
final class Deployment {
    static final String STAGING = block("staging");
    static final String PRODUCTION = block("production");
    static final String TEXT = "environments:\n" + STAGING + PRODUCTION;

    private Deployment() {}

    private static String block(String name) {
        return """
                  %s:
                    host: %s.example.org
                    tls: on
                    retries: 3
                    timeout: 30
                    auth: required
                    cache: on
                    region: eu
                    logs: info
                """.formatted(name, name.charAt(0));
    }

    /** The text with no authentication in one of the blocks. */
    static String without(String block) {
        int start = TEXT.indexOf(block);
        return TEXT.substring(0, start) + TEXT.substring(start).replaceFirst("required", "none");
    }
}
