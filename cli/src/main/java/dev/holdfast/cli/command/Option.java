package dev.holdfast.cli.command;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An option of a command.
 *
 * @param name with its dashes
 * @param value what help calls its value; null: it is a switch without one
 */
public record Option(String name, @Nullable String value, boolean repeatable, String description) {
    /** Accepted by every command. */
    static final Option URL =
            of("--url", "URL", "The broker's address. Default: HOLDFAST_URL, else port 8321 on this machine.");

    static final Option JSON = flag(
            "--json", "Print the broker's JSON answer on standard output, errors included. Exit codes stay the same.");

    public static final Option GENERATION =
            of("--generation", "N", "The claim's generation. Default: that of your claim, if you claimed it here.");

    public static final Option HOLDER = of(
            "--holder",
            "NAME",
            "Your agent name. Default: HOLDFAST_AGENT, else that of your session, else your name in git, else your login.");

    public static final Option TTL =
            of("--ttl", "TIME", "How long the claim lasts without a heartbeat: 90, 90s, 45m, 2h.");

    public static final Option REQUEST_ID =
            of("--request-id", "ID", "Retrying with the same id returns the same claim.");

    public static final Option PROJECT = of("--project", "PROJECT", "Only this project. Default: this repository.");

    public static final Option CATEGORY = of("--category", "CATEGORY", "Only this category.");

    public static final Option EVERYWHERE = flag("--everywhere", "In every repository, not only this one.");

    public static final Option ALL = flag("--all", "Include closed ones.");

    /** Adds the options of a command that lists something page by page. */
    public static List<Option> withPages(Option... options) {
        List<Option> all = new ArrayList<>(List.of(options));
        all.add(of("--limit", "N", "Show at most N (default 100)."));
        all.add(of("--cursor", "CURSOR", "Continue from the previous page."));
        return List.copyOf(all);
    }

    public static Option of(String name, String value, String description) {
        return new Option(name, value, false, description);
    }

    public static Option repeatable(String name, String value, String description) {
        return new Option(name, value, true, description);
    }

    public static Option flag(String name, String description) {
        return new Option(name, null, false, description);
    }

    /** The same option with another description. */
    public Option described(String other) {
        return new Option(name, value, repeatable, other);
    }
}
