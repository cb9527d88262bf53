package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/**
 * A measurement in its own JVM, so that nothing benefits from code that another has warmed up. All get the same flags.
 */
record ChildJvm(Class<?> main, Map<String, String> arguments) {
    static final List<String> FLAGS = List.of("-Xms1g", "-Xmx1g", "--enable-native-access=ALL-UNNAMED");

    static ChildJvm of(Class<?> main) {
        return new ChildJvm(main, Map.of());
    }

    ChildJvm with(String name, Object value) {
        Map<String, String> more = new LinkedHashMap<>(arguments);
        more.put(name, value.toString());
        return new ChildJvm(main, more);
    }

    /** Runs it to completion and parses the figure that it prints as its last line. */
    Figure run() throws IOException, InterruptedException {
        return Figures.read(Shell.run(command()).lines().toList().getLast());
    }

    List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        String more = System.getProperty("holdfast.bench.jvm", "");
        command.addAll(more.isBlank() ? List.of() : List.of(more.split(" ")));
        command.addAll(List.of("-cp", absolute(System.getProperty("java.class.path")), main.getName()));
        arguments.forEach((name, value) -> command.add(name + "=" + value));
        return command;
    }

    /** Starts it without waiting. */
    FutureTask<Figure> start() {
        Callable<Figure> run = this::run;
        FutureTask<Figure> task = new FutureTask<>(run);
        Thread.ofVirtual().start(task);
        return task;
    }

    private static String absolute(String classPath) {
        return String.join(
                File.pathSeparator,
                List.of(classPath.split(File.pathSeparator)).stream()
                        .map(path -> Path.of(path).toAbsolutePath().toString())
                        .toList());
    }

    /** The arguments as the child sees them. */
    static Map<String, String> arguments(String[] given) {
        Map<String, String> arguments = new LinkedHashMap<>();
        for (String argument : given) {
            int equals = argument.indexOf('=');
            arguments.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        return arguments;
    }
}
