package dev.holdfast.broker.pool.engine;

import dev.holdfast.git.SearchPath;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How to start a reviewer: one program and its arguments, without a shell.
 *
 * @param argv the program and its arguments
 * @param environment variables to set in addition to the inherited ones; includes its token
 * @param inherited names of the variables it inherits from the broker, if set there; all others are withheld, since a
 *     broker's environment holds secrets
 * @param stdin what to write to its stdin before closing it; null: nothing
 * @param folder its working folder
 */
public record Launch(
        List<String> argv,
        Map<String, String> environment,
        Set<String> inherited,
        @Nullable String stdin,
        Path folder) {
    /** Marks every process of a reviewer; the value is the reviewer's id. */
    public static final String MARK = "HOLDFAST_REVIEWER";

    public Launch {
        argv = List.copyOf(argv);
        environment = Map.copyOf(environment);
        inherited = Set.copyOf(inherited);
        if (argv.isEmpty() || argv.getFirst().isBlank()) {
            throw new UnusableLaunchException("no program is named");
        }
        if (argv.stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
            throw new UnusableLaunchException(
                    "an argument contains the character NUL, which cannot be passed to a program");
        }
        if (argv.getFirst().matches("(?is).*\\.(bat|cmd)")) {
            // Windows runs these through its command interpreter, which parses the arguments again
            throw new UnusableLaunchException(
                    argv.getFirst() + ": batch files are not started, because arguments are not safe"
                            + " in them; name the program itself (.exe)");
        }
    }

    /**
     * A relative path would name a file in whichever project the reviewer works in, written by that project's authors.
     *
     * @param setting the setting that names the program
     * @throws UnusableLaunchException unless it is found on the PATH or given by its full path
     */
    static void checkProgram(String setting, String program) {
        boolean named = program.indexOf('/') < 0 && program.indexOf('\\') < 0;
        if (!named && !program.startsWith("/") && !program.startsWith("\\\\") && !Wsl.isDrivePath(program)) {
            throw new UnusableLaunchException(setting + ": " + program
                    + " would be a file of the project that is reviewed; give its full path, or a name on the PATH");
        }
    }

    /**
     * The process to start. The caller reads its output, and writes and closes its input.
     *
     * @param broker the broker's own environment
     */
    public ProcessBuilder process(Map<String, String> broker) {
        ProcessBuilder process = new ProcessBuilder(argv).directory(folder.toFile());
        process.environment().clear();
        process.environment().putAll(environment(broker));
        return process;
    }

    /** The reviewer's whole environment: what it inherits from this one, and its own variables. */
    Map<String, String> environment(Map<String, String> broker) {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER); // Path or PATH: Windows uses any case
        names.addAll(inherited);
        Map<String, String> whole = new HashMap<>(broker);
        whole.keySet().removeIf(name -> !names.contains(name));
        // a relative entry means a folder of the workspace, whose programs are under review
        whole.replaceAll((name, value) -> name.equalsIgnoreCase("PATH")
                ? new SearchPath(value).withoutRelative().orElse("/nowhere")
                : value);
        whole.putAll(environment);
        return whole;
    }

    /** Omits the environment, which holds the token. */
    @Override
    public String toString() {
        return "Launch" + argv;
    }
}
