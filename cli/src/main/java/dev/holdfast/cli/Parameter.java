package dev.holdfast.cli;

/** An argument of a command that has no dashes. */
record Parameter(String name, int least, int most, String description) {
    static Parameter required(String name, String description) {
        return new Parameter(name, 1, 1, description);
    }

    static Parameter optional(String name, String description) {
        return new Parameter(name, 0, 1, description);
    }

    static Parameter any(String name, String description) {
        return new Parameter(name, 0, Integer.MAX_VALUE, description);
    }
}
