package dev.holdfast.broker;

import dev.holdfast.broker.config.ConfigException;
import dev.holdfast.broker.config.FolderConfig;
import dev.holdfast.broker.config.Folders;
import dev.holdfast.broker.config.Trusted;
import dev.holdfast.claim.Text;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** {@code holdfast trust}: lets the settings that a working folder brings along count, after showing them. */
public final class Trust {
    static final String HELP = """
            Usage: holdfast trust [FILE] [--yes]
                   holdfast trust --list
                   holdfast trust --revoke [FILE]

            A folder's .holdfast/config.json may be anybody's: what it says about programs, prompts, hosts, stores and
            the like counts only if you have trusted it. This shows what it says and asks. The trust ends
            with any change of the file.

              FILE       .holdfast/config.json or .planning/config.json of a folder (the one that 'holdfast serve' reads here)
              --yes      do not ask
              --list     what you trust
              --revoke   stop trusting it, whatever it contains
              --help     this text

            Exit codes: 0 done, 1 not trusted, 2 wrong arguments or unusable file, 4 not found.
            """;

    private static final int DONE = 0;
    private static final int NOT_TRUSTED = 1;
    private static final int WRONG = 2;
    private static final int NOT_FOUND = 4;
    private static final Set<String> FLAGS = Set.of("--yes", "--list", "--revoke");

    private final Path here;
    private final Folders folders;
    private final Trusted trusted;
    private final PrintStream out;
    private final PrintStream err;
    private final Function<String, Optional<String>> ask;

    /** @param ask shows a question on the terminal and returns the answer; empty without a terminal */
    Trust(Path here, Folders folders, PrintStream out, PrintStream err, Function<String, Optional<String>> ask) {
        this.here = here;
        this.folders = folders;
        this.trusted = new Trusted(folders);
        this.out = out;
        this.err = err;
        this.ask = ask;
    }

    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        int code = new Trust(Path.of("").toAbsolutePath(), Folders.ofThisUser(), out, System.err, Trust::askOnTerminal)
                .run(List.of(arguments));
        System.exit(code);
    }

    private static Optional<String> askOnTerminal(String question) {
        Console console = System.console();
        return console == null || !console.isTerminal()
                ? Optional.empty()
                : Optional.of(
                        Optional.ofNullable(console.readLine("%s", question)).orElse(""));
    }

    int run(List<String> arguments) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.print(HELP);
            return DONE;
        }
        Set<String> flags = new HashSet<>(arguments);
        flags.removeIf(word -> !word.startsWith("-"));
        List<String> files =
                arguments.stream().filter(word -> !word.startsWith("-")).toList();
        if (!FLAGS.containsAll(flags) || flags.size() > 1 || files.size() > (flags.contains("--list") ? 0 : 1)) {
            err.println("holdfast trust: not understood: " + Text.printable(String.join(" ", arguments))
                    + "\nTry: holdfast trust --help");
            return WRONG;
        }
        try {
            if (flags.contains("--list")) {
                return list();
            }
            Optional<FolderConfig> found = files.isEmpty()
                    ? FolderConfig.find(here, folders)
                    : Optional.of(FolderConfig.at(here.resolve(files.getFirst())));
            if (found.isEmpty()) {
                return fail(
                        NOT_FOUND,
                        "nothing in " + here + " that 'holdfast serve' would read: there is no .holdfast/config.json");
            }
            return flags.contains("--revoke") ? revoke(found.get()) : trust(found.get(), flags.contains("--yes"));
        } catch (ConfigException e) {
            e.problems().forEach(problem -> fail(WRONG, problem));
            return WRONG;
        } catch (IOException e) {
            return fail(NOT_TRUSTED, "cannot keep what you trust: " + e.getMessage());
        }
    }

    private int list() throws IOException {
        if (trusted.all().isEmpty()) {
            out.println("you have trusted no settings file");
        }
        for (Trusted.Entry entry : trusted.all()) {
            boolean now = FolderConfig.at(entry.file()).sha256().equals(entry.sha256());
            out.println(Text.printable(entry.file() + "  " + entry.sha256().substring(0, 12) + "  since "
                    + entry.since() + (now ? "" : "  (it has changed, or is gone)")));
        }
        return DONE;
    }

    private int revoke(FolderConfig config) throws IOException {
        if (trusted.remove(config.file()) == 0) {
            return fail(NOT_FOUND, config.file() + " was not trusted");
        }
        out.println(Text.printable(config.file() + " is no longer trusted; a running broker is not affected"));
        return DONE;
    }

    private int trust(FolderConfig config, boolean yes) throws IOException {
        if (!config.settings().problems().isEmpty()) {
            throw new ConfigException(config.settings().problems());
        }
        String file = Text.printable(config.file().toString());
        if (config.settings().needTrust().isEmpty()) {
            out.println(file + " has nothing that needs trust");
            return DONE;
        }
        out.println(file + " (sha256 " + config.sha256().substring(0, 12) + ") says:\n");
        config.settings().lines().forEach(line -> out.println("  " + line));
        out.println(
                "\nOnce trusted, it applies to every broker started there by hand, until the file changes."
                        + "\nWhat it names (programs, prompts, folders) is not part of the file: changes there are not noticed.\n");
        if (trusted.has(config)) {
            out.println("You trust it already.");
            return DONE;
        }
        if (!yes) {
            Optional<String> answer = ask.apply("Trust it? [y/N] ");
            if (answer.isEmpty()) {
                return fail(WRONG, "no terminal to ask on; use --yes if you trust it");
            }
            if (!Set.of("y", "yes").contains(answer.get().strip().toLowerCase(Locale.ROOT))) {
                return fail(NOT_TRUSTED, "not trusted");
            }
        }
        trusted.add(config);
        out.println(
                "Trusted. It applies when a broker is next started in this folder. If one is running, restart it there:"
                        + " holdfast stop, then holdfast serve");
        return DONE;
    }

    private int fail(int code, String text) {
        err.println("holdfast: " + Text.printable(text));
        return code;
    }
}
