package dev.holdfast.cli.command;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Explains what is wrong with an invalid command line, and what was probably meant. */
final class UsageErrors {
    /** Parameters in which people write sentences. */
    private static final Set<String> TEXTS = Set.of("INTENT", "TEXT", "TITLE");

    private UsageErrors() {}

    static String explain(ParameterException e) {
        String path = nameOf(e.getCommandLine());
        return problem(e, path) + System.lineSeparator() + "Try 'holdfast " + (path.isEmpty() ? "" : path + " ")
                + "--help'.";
    }

    private static String problem(ParameterException e, String path) {
        return switch (e) {
            case UnmatchedArgumentException unmatched -> unmatched(unmatched, path);
            case MissingParameterException missing
            when !missing.getMissing().isEmpty() -> missing(missing.getMissing().getFirst());
            case OverwrittenOptionException twice
            when twice.getOverwritten() instanceof OptionSpec option -> option.longestName() + " is given twice";
            default -> String.valueOf(e.getMessage());
        };
    }

    private static String unmatched(UnmatchedArgumentException e, String path) {
        List<String> words = e.getUnmatched();
        String word = words.isEmpty() ? "" : words.getFirst();
        CommandLine line = e.getCommandLine();
        if (word.startsWith("-")) {
            int equals = word.indexOf('=');
            String option = equals < 0 ? word : word.substring(0, equals);
            return "unknown option " + option + ClosestMatch.hint(option, options(line));
        }
        Set<String> commands = line.getSubcommands().keySet();
        if (commands.isEmpty()) {
            List<PositionalParamSpec> taken = line.getCommandSpec().positionalParameters();
            return "'" + path + "' takes " + (taken.isEmpty() ? "no arguments: '" : "nothing after that: '")
                    + String.join(" ", words) + "'"
                    + (taken.stream().anyMatch(each -> TEXTS.contains(each.paramLabel()))
                            ? "; quote a text that has spaces"
                            : !taken.isEmpty() && options(line).contains("--reason")
                                    ? "; did you mean --reason \"" + String.join(" ", words) + "\"?"
                                    : "");
        }
        if (path.isEmpty() && word.equals("version")) {
            return "unknown command 'version'; did you mean --version?";
        }
        String group = path.isEmpty() ? "" : path + " ";
        return "unknown command '" + group + word + "'"
                + ClosestMatch.to(word, commands)
                        .map(near -> "; did you mean '" + group + near + "'?")
                        .orElse("");
    }

    private static Set<String> options(CommandLine line) {
        return line.getCommandSpec().options().stream()
                .map(OptionSpec::longestName)
                .collect(Collectors.toSet());
    }

    private static String missing(ArgSpec missing) {
        return missing instanceof OptionSpec option
                ? option.longestName() + " needs a value, " + option.paramLabel()
                : missing.paramLabel() + " is missing: " + inSentence(String.join(" ", missing.description()));
    }

    private static String inSentence(String help) {
        String text = help.replaceFirst("\\.$", "");
        return text.isEmpty() ? text : text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }

    /** Its name without "holdfast". */
    static String nameOf(CommandLine line) {
        String whole = line.getCommandSpec().qualifiedName(" ");
        int blank = whole.indexOf(' ');
        return blank < 0 ? "" : whole.substring(blank + 1);
    }
}
