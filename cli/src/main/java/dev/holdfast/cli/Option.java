package dev.holdfast.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An option of a command.
 *
 * @param name with its dashes
 * @param value what its value is called in help; null: it is a switch and has none
 */
record Option(String name, @Nullable String value, boolean repeatable, String description) {
    /** Understood by every command. */
    static final Option URL = of("--url", "URL", "The broker. Default: HOLDFAST_URL, else port 8321 of this machine.");

    static final Option JSON = flag(
            "--json",
            "Print the broker's answer as it is, one JSON document on standard output; refusals too. The exit code stays the"
                    + " same.");

    /** For lists that are given piece by piece. */
    static final List<Option> PAGES = List.of(
            of("--limit", "N", "At most so many. Default: 100."),
            of("--cursor", "CURSOR", "Go on where the last piece ended."));

    static Option of(String name, String value, String description) {
        return new Option(name, value, false, description);
    }

    static Option repeatable(String name, String value, String description) {
        return new Option(name, value, true, description);
    }

    static Option flag(String name, String description) {
        return new Option(name, null, false, description);
    }
}
