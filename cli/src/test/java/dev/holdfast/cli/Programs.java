package dev.holdfast.cli;

import dev.holdfast.broker.ServeCommand;
import dev.holdfast.testing.WarmJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The words that start the broker and the command line as processes of their own. */
final class Programs {
    private Programs() {}

    /** The broker; options of the JVM, such as system properties, may be put in. */
    static List<String> broker(String... options) {
        return with(
                WarmJvm.of(ServeCommand.class.getName(), () -> List.of("--port", "0", "--data", "target/warm/data")),
                options,
                ServeCommand.class.getName());
    }

    static List<String> commandLine(String... options) {
        return small(Main.class, options);
    }

    /** A program that is over soon. */
    static List<String> small(Class<?> main, String... options) {
        return with(
                WarmJvm.of(
                        Main.class.getName(),
                        () -> List.of("claim", "key:training", "--holder", "training", "--url", "http://127.0.0.1:1")),
                options,
                main.getName());
    }

    /** The same for a shell. Options are quoted by whoever gives them, so that they may have variables. */
    static String inShell(List<String> words) {
        return words.stream()
                .map(word -> word.startsWith("\"") ? word : "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    private static List<String> with(List<String> java, String[] options, String main) {
        List<String> words = new ArrayList<>(java);
        words.addAll(List.of(options));
        words.add(main);
        return words;
    }
}
