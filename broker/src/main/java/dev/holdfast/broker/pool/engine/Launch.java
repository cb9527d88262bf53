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
 * How a reviewer is started: one program with its arguments, word by word, with no shell in between.
 *
 * @param argv the program and its arguments
 * @param environment the variables it gets beside those that it inherits; its token is among them
 * @param inherited the names of the variables that it gets from the broker's own environment, if they are set there;
 *     everything else is kept from it, since a broker's environment holds secrets
 * @param stdin what it reads to the end before it begins; null: nothing
 * @param folder where it runs
 */
public record Launch(
        List<String> argv,
        Map<String, String> environment,
        Set<String> inherited,
        @Nullable String stdin,
        Path folder) {
    /** The variable by which every process of a reviewer can be known; its value is the reviewer's id. */
    public static final String MARK = "HOLDFAST_REVIEWER";

    public Launch {
        argv = List.copyOf(argv);
        environment = Map.copyOf(environment);
        inherited = Set.copyOf(inherited);
        if (argv.isEmpty() || argv.getFirst().isBlank()) {
            throw new UnusableLaunchException("no program is named");
        }
        if (argv.stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
            throw new UnusableLaunchException("an argument contains the character NUL, which no program can be given");
        }
        if (argv.getFirst().matches("(?is).*\\.(bat|cmd)")) {
            // Windows runs these with its command interpreter, which reads the arguments anew
            throw new UnusableLaunchException(
                    argv.getFirst() + ": batch files are not started, because arguments are not safe"
                            + " in them; name the program itself (.exe)");
        }
    }

    /**
     * A path that is relative would mean a file of whichever project the reviewer works in, which that project's authors wrote.
     *
     * @param setting what names the program
     * @throws UnusableLaunchException unless it is found in the PATH, or by its full path
     */
    static void checkProgram(String setting, String program) {
        boolean named = program.indexOf('/') < 0 && program.indexOf('\\') < 0;
        if (!named && !program.startsWith("/") && !program.startsWith("\\\\") && !Wsl.isDrivePath(program)) {
            throw new UnusableLaunchException(setting + ": " + program
                    + " would be a file of the project that is reviewed; give its full path, or a name in the PATH");
        }
    }

    /**
     * The process to start, with its output to be read by the caller and its input to be written and closed.
     *
     * @param broker the broker's own environment
     */
    public ProcessBuilder process(Map<String, String> broker) {
        ProcessBuilder process = new ProcessBuilder(argv).directory(folder.toFile());
        process.environment().clear();
        process.environment().putAll(environment(broker));
        return process;
    }

    /** All that the reviewer sees of this environment, and what is its own. */
    Map<String, String> environment(Map<String, String> broker) {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER); // Path, PATH: Windows writes as it likes
        names.addAll(inherited);
        Map<String, String> whole = new HashMap<>(broker);
        whole.keySet().removeIf(name -> !names.contains(name));
        // a relative entry means a folder of the workspace, whose programs are what reviewers judge
        whole.replaceAll((name, value) -> name.equalsIgnoreCase("PATH")
                ? new SearchPath(value).withoutRelative().orElse("/nowhere")
                : value);
        whole.putAll(environment);
        return whole;
    }

    /** Without the environment, which holds the token. */
    @Override
    public String toString() {
        return "Launch" + argv;
    }
}
