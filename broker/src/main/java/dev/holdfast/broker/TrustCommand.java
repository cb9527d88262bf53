package dev.holdfast.broker;

import dev.holdfast.broker.config.ConfigException;
import dev.holdfast.broker.config.FolderConfig;
import dev.holdfast.broker.config.TrustedSettings;
import dev.holdfast.broker.config.UserFolders;
import dev.holdfast.claim.Text;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.json.JsonMapper;

/** {@code holdfast trust}: shows a working folder's settings, then allows them to take effect. */
public final class TrustCommand {
    static final String HELP = """
            Usage: holdfast trust [FILE] [--yes] [--json]
                   holdfast trust --list [--json]
                   holdfast trust --revoke [FILE] [--json]

            Anyone may have written a folder's .holdfast/config.json, so what it says about programs, prompts, hosts,
            stores and the like is ignored until you trust it. This shows what it says and asks. Any change to the
            file ends the trust.

              FILE       .holdfast/config.json or .planning/config.json of a folder (the one that 'holdfast serve' reads here)
              --yes      do not ask
              --list     what you trust
              --revoke   stop trusting it, even if it has changed
              --json     print one JSON document; does not ask, so trusting needs --yes
              --help     this text

            Exit codes: 0 done, 1 not trusted, 2 wrong arguments or unusable file, 4 not found.
            """;

    private static final int DONE = 0;
    private static final int NOT_TRUSTED = 1;
    private static final int WRONG = 2;
    private static final int NOT_FOUND = 4;
    private static final Set<String> FLAGS = Set.of("--yes", "--list", "--revoke");
    private static final String JSON = "--json";

    private final CommandContext context;
    private final Path here;
    private final UserFolders folders;
    private final TrustedSettings trusted;
    private final PrintStream out;
    private final Function<String, Optional<String>> ask;
    private boolean json;

    /** @param ask shows a question on the terminal and returns the answer; empty without a terminal */
    TrustCommand(CommandContext context, Function<String, Optional<String>> ask) {
        this.context = context;
        here = context.here();
        folders = context.folders();
        trusted = new TrustedSettings(folders);
        out = context.out();
        this.ask = ask;
    }

    public static void main(String[] arguments) {
        System.exit(
                new TrustCommand(CommandContext.ofThisProcess(), TrustCommand::askOnTerminal).run(List.of(arguments)));
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
        json = flags.remove(JSON);
        List<String> files =
                arguments.stream().filter(word -> !word.startsWith("-")).toList();
        if (!FLAGS.containsAll(flags) || flags.size() > 1 || files.size() > (flags.contains("--list") ? 0 : 1)) {
            return fail(WRONG, "wrong arguments: " + String.join(" ", arguments) + "; try: holdfast trust --help");
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
            return fail(WRONG, e.problems());
        } catch (IOException e) {
            return fail(NOT_TRUSTED, "cannot save what you trust: " + e.getMessage());
        }
    }

    private int list() throws IOException {
        if (trusted.all().isEmpty()) {
            say("you have not trusted any settings file");
        }
        List<Map<String, Object>> all = new ArrayList<>();
        for (TrustedSettings.Entry entry : trusted.all()) {
            boolean now = FolderConfig.at(entry.file()).sha256().equals(entry.sha256());
            say(entry.file() + "  " + entry.sha256().substring(0, 12) + "  since " + entry.since()
                    + (now ? "" : "  (it has changed, or is gone)"));
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("file", entry.file().toString());
            one.put("sha256", entry.sha256());
            one.put("since", entry.since().toString());
            one.put("current", now);
            all.add(one);
        }
        return document(Map.of("trusted", all));
    }

    private int revoke(FolderConfig config) throws IOException {
        if (trusted.remove(config.file()) == 0) {
            return fail(NOT_FOUND, config.file() + " was not trusted");
        }
        say(config.file() + " is no longer trusted; a running broker is not affected");
        return document(config, false);
    }

    private int trust(FolderConfig config, boolean yes) throws IOException {
        if (!config.settings().problems().isEmpty()) {
            throw new ConfigException(config.settings().problems());
        }
        if (config.settings().needTrust().isEmpty()) {
            say(config.file() + " has nothing that needs trust");
            return document(config, false);
        }
        say(config.file() + " (sha256 " + config.sha256().substring(0, 12) + ") says:");
        say("");
        config.settings().lines().forEach(line -> say("  " + line));
        say("");
        say("Once trusted, it applies to every broker started there by hand, until the file changes.");
        say("What it names (programs, prompts, folders) is not part of the file: changes there are not noticed.");
        say("");
        if (trusted.has(config)) {
            say("You trust it already.");
            return document(config, true);
        }
        if (!yes) {
            Optional<String> answer = json ? Optional.empty() : ask.apply("Trust it? [y/N] ");
            if (answer.isEmpty()) {
                return fail(
                        WRONG,
                        (json ? "--json does not ask" : "no terminal to ask on") + "; use --yes if you trust it");
            }
            if (!Set.of("y", "yes").contains(answer.get().strip().toLowerCase(Locale.ROOT))) {
                return fail(NOT_TRUSTED, "not trusted");
            }
        }
        trusted.add(config);
        say("Trusted. It applies when a broker is next started in this folder. If one is running, restart it there:"
                + " holdfast stop, then holdfast serve");
        return document(config, true);
    }

    /** For a person; a program gets a JSON document instead. */
    private void say(String line) {
        if (!json) {
            out.println(Text.printable(line));
        }
    }

    private int document(FolderConfig config, boolean isTrusted) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("file", config.file().toString());
        document.put("sha256", config.sha256());
        document.put("trusted", isTrusted);
        return document(document);
    }

    private int document(Map<String, ?> document) {
        if (json) {
            out.println(JsonMapper.shared().writeValueAsString(document));
        }
        return DONE;
    }

    private int fail(int code, String text) {
        return fail(code, List.of(text));
    }

    private int fail(int code, List<String> problems) {
        return context.fail(code, problems, json);
    }
}
