package dev.holdfast.cli.command;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.terminal.Shell;
import dev.holdfast.git.SearchPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** How users and hooks call this program. */
public final class Program {
    private static final String NAME = "holdfast";
    /** Matches the word only in quotes or brackets and before a command: texts contain it too. */
    private static final Pattern MENTION = Pattern.compile("(?<=['(])holdfast(?= [a-z-])");

    private Program() {}

    /** What a person types here. */
    public static String name(Shell shell) {
        String launcher = System.getProperty("holdfast.launcher");
        if (launcher == null || onPath(shell, launcher).isPresent()) {
            return NAME;
        }
        Path file = Path.of(launcher);
        return shell.folder().equals(file.getParent()) ? "./" + file.getFileName() : launcher;
    }

    /** A message whose commands are written as a person types them here. */
    public static String called(Shell shell, String message) {
        return message.contains(NAME)
                ? MENTION.matcher(message).replaceAll(Matcher.quoteReplacement(name(shell)))
                : message;
    }

    /**
     * The path to write into hooks: as found on the PATH, which survives an update better than the file it leads to;
     * otherwise the launcher itself.
     */
    public static String path(Shell shell) {
        String launcher = System.getProperty("holdfast.launcher");
        if (launcher == null) {
            throw Failure.invalid("hooks need the launcher: run this as 'holdfast hooks install'");
        }
        return onPath(shell, launcher).map(Path::toString).orElse(launcher);
    }

    private static Optional<Path> onPath(Shell shell, String launcher) {
        return named(shell, NAME).filter(file -> isSame(file, launcher)).findFirst();
    }

    /** The programs of this name on the user's PATH. */
    public static Stream<Path> named(Shell shell, String name) {
        return SearchPath.of(shell.environment()).all(name);
    }

    /** The path of a program that every system has, such as the shell. */
    public static String required(Shell shell, String name) {
        try {
            return SearchPath.of(shell.environment()).program(name);
        } catch (IOException e) {
            throw Failure.failed(String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean isSame(Path file, String launcher) {
        try {
            return Files.isSameFile(file, Path.of(launcher));
        } catch (IOException gone) {
            return false;
        }
    }
}
