package dev.holdfast.rules;

import dev.holdfast.claim.Text;
import dev.holdfast.git.GitFailure;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.DiffProblem;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** {@code holdfast rules}: checks a change by hand, before a commit or in a pipeline. Needs no broker. */
public record RulesCommand(ChangedFiles files, PrintStream out, PrintStream errors) {
    private static final int FINE = 0;
    private static final int FAILED = 1;
    private static final int WRONG = 2;
    private static final int NOT_APPROVED = 8;
    private static final String JSON = "--json";

    private static final String USAGE = """
        Usage: holdfast rules [--staged | --range A..B | --diff FILE] [--without RULE]... [--json]

        Checks a change against the rules and prints file:line: rule: message for each finding. Needs no broker.

          --staged         what is staged for the next commit (this is the default)
          --range A..B     what changed from commit A to commit B; A...B: from their merge base to B
          --diff FILE      a diff from a file; - reads it from standard input
          --without RULE   skips a rule; may be repeated
          --json           prints one JSON document with the findings
          --help           this text

        Rules: %s

        The syntax of files that are only changed is checked if the working folder has them.

        Exit codes: 0 no rule is broken, 8 some are, 1 failed, 2 wrong arguments.
        """.formatted(String.join(", ", Rules.names()));

    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        ChangedFiles files = new ChangedFiles(Path.of("").toAbsolutePath(), System.getenv());
        int code = new RulesCommand(files, out, System.err).run(List.of(arguments));
        out.flush();
        System.exit(code);
    }

    /** Ends a run with just this message. */
    private static final class EndException extends RuntimeException {
        private final int code;

        EndException(int code, String message) {
            super(message, null, false, false);
            this.code = code;
        }
    }

    int run(List<String> arguments) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.print(USAGE);
            return FINE;
        }
        boolean json = arguments.contains(JSON);
        try {
            return check(arguments, json);
        } catch (EndException e) {
            return failed(e.code, e.getMessage(), json);
        } catch (GitFailure | IOException e) {
            return failed(FAILED, e.getMessage(), json);
        }
    }

    private int failed(int code, @Nullable String why, boolean json) {
        if (json) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("error", String.valueOf(why));
            document.put("code", code == WRONG ? "invalid" : "failed");
            out.println(JsonMapper.shared().writeValueAsString(document));
        } else {
            errors.println("holdfast rules: " + why);
        }
        return code;
    }

    private int check(List<String> arguments, boolean json) throws IOException {
        Set<String> off = new TreeSet<>();
        String source = null;
        @Nullable String value = null;
        for (int i = 0; i < arguments.size(); i++) {
            String option = arguments.get(i);
            switch (option) {
                case JSON -> {} // parsed already
                case "--without" -> off.add(after(arguments, i++));
                case "--staged", "--range", "--diff" -> {
                    if (source != null) {
                        throw new EndException(WRONG, option + " and " + source + " cannot be used together");
                    }
                    source = option;
                    value = option.equals("--staged") ? null : after(arguments, i++);
                }
                default -> throw new EndException(WRONG, "unknown argument " + option + "; see holdfast rules --help");
            }
        }
        Rules rules;
        try {
            rules = Rules.without(off);
        } catch (IllegalArgumentException e) {
            throw new EndException(WRONG, "--without: " + e.getMessage());
        }
        String diff = value == null ? files.staged() : "--range".equals(source) ? range(value) : file(value);
        List<Violation> findings = diff.isBlank() ? List.of() : findings(diff, rules);
        if (json) {
            out.println(JsonMapper.shared().writeValueAsString(document(findings)));
        } else if (diff.isBlank()) {
            errors.println("holdfast rules: nothing has changed");
        } else {
            findings.forEach(finding -> out.println(Text.printable(finding.toString())));
        }
        return findings.stream().anyMatch(Violation::blocks) ? NOT_APPROVED : FINE;
    }

    private static String after(List<String> arguments, int option) {
        if (option + 1 >= arguments.size()) {
            throw new EndException(WRONG, arguments.get(option) + " needs a value");
        }
        return arguments.get(option + 1);
    }

    private List<Violation> findings(String diff, Rules rules) {
        return switch (Diff.parse(diff)) {
            case DiffProblem problem -> throw new EndException(WRONG, "the diff cannot be read: " + problem);
            case Diff read -> rules.check(read, files.contents());
        };
    }

    private static Map<String, Object> document(List<Violation> findings) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Violation finding : findings) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("path", finding.path());
            one.put("line", finding.line());
            one.put("side", finding.side().name().toLowerCase(Locale.ROOT));
            one.put("rule", finding.rule());
            one.put("severity", finding.severity().toString());
            one.put("message", finding.message());
            all.add(one);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("findings", all);
        document.put("blocking", findings.stream().filter(Violation::blocks).count());
        return document;
    }

    private static String file(String name) throws IOException {
        try {
            return name.equals("-")
                    ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(name));
        } catch (NoSuchFileException _) {
            throw new EndException(WRONG, name + ": there is no such file");
        }
    }

    private String range(String range) {
        int dots = range.indexOf("..");
        if (dots < 0 || range.startsWith("-")) {
            throw new EndException(WRONG, "--range: " + range + " is not a range of commits such as main..HEAD");
        }
        boolean sinceTheyParted = range.startsWith("...", dots);
        String from = range.substring(0, dots);
        String to = range.substring(dots + (sinceTheyParted ? 3 : 2));
        return files.between(from.isEmpty() ? "HEAD" : from, to.isEmpty() ? "HEAD" : to, sinceTheyParted);
    }
}
