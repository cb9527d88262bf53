package dev.holdfast.cli.command;

/** A positional argument of a command. */
public record Parameter(String name, int least, int max, String description) {
    public static Parameter required(String name, String description) {
        return new Parameter(name, 1, 1, description);
    }

    public static Parameter optional(String name, String description) {
        return new Parameter(name, 0, 1, description);
    }

    public static Parameter any(String name, String description) {
        return new Parameter(name, 0, Integer.MAX_VALUE, description);
    }
}
