package dev.holdfast.cli;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.command.FullParser;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.ParsedCommand;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.command.QuickParser;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.terminal.Shell;
import dev.holdfast.terminal.TerminalWidth;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** The command line, {@code holdfast COMMAND}. */
public final class Main {
    private Main() {}

    public static void main(String[] words) {
        // Not exit, which would load the JDK's logging first; and there is nothing to shut down.
        Runtime.getRuntime().halt(run(shell(), List.of(words)).number());
    }

    /** The shell that this process was started from. */
    static Shell shell() {
        return new Shell(
                System.getenv(),
                System.in,
                utf8(FileDescriptor.out),
                utf8(FileDescriptor.err),
                TerminalWidth::ask,
                InstantSource.system(),
                Path.of("").toAbsolutePath());
    }

    /** Runs one command line to completion. */
    static ExitCode run(Shell shell, List<String> words) {
        try {
            for (String word : words) {
                checkReadable(word);
            }
            if (!words.isEmpty() && words.getFirst().equals(CompletionCommand.ASKED)) {
                return CompletionCommand.answer(shell, words.subList(1, words.size()));
            }
            ParsedCommand parsed = QuickParser.parse(Commands.ALL, words);
            if (parsed == null) {
                switch (new FullParser(Commands.CATALOGUE, shell.width()).parse(words)) {
                    case FullParser.Outcome.Run(ParsedCommand understood) -> parsed = understood;
                    case FullParser.Outcome.Print(String text, boolean asked) -> {
                        shell.out().print(text);
                        shell.out().flush();
                        return asked ? ExitCode.DONE : ExitCode.INVALID;
                    }
                }
            }
            return parsed.command().action().run(new Invocation(parsed.arguments(), shell));
        } catch (Failure failure) {
            return fail(shell, words, failure);
        } catch (RuntimeException e) {
            return fail(
                    shell,
                    words,
                    Failure.failed("internal error, please report it: " + e + " at " + e.getStackTrace()[0], e));
        } finally {
            shell.out().flush();
            shell.err().flush();
        }
    }

    private static ExitCode fail(Shell shell, List<String> words, Failure failure) {
        if (words.contains("--json")) {
            shell.out().println(Json.write(Map.of("error", failure.text(), "code", failure.code())));
        } else {
            shell.err().println("holdfast: " + Program.called(shell, failure.text()));
        }
        return ExitCode.of(failure.code());
    }

    /**
     * If the locale is not UTF-8, Java replaces non-ASCII characters with this one, and different names would become
     * the same.
     */
    private static void checkReadable(String word) {
        if (word.indexOf('\ufffd') >= 0) {
            throw Failure.invalid(
                    "'" + word + "' has characters that your locale cannot represent; set LC_ALL=C.UTF-8");
        }
    }

    /** UTF-8 whatever the locale: ids must come out of a pipe unchanged. */
    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
    }
}
