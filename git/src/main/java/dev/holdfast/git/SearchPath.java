package dev.holdfast.git;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds programs on a PATH. Done here because Java would use its own PATH, not the one that a program is given, and
 * because both Java and the system follow entries such as {@code .} or {@code bin}, which mean a different folder in
 * every repository. Only absolute entries count here.
 *
 * @param folders the value of PATH
 */
public record SearchPath(String folders) {
    /** The PATH of an environment; Windows spells its name in any case. */
    public static SearchPath of(Map<String, String> environment) {
        String path = environment.get("PATH");
        if (path == null) {
            path = environment.entrySet().stream()
                    .filter(variable -> variable.getKey().equalsIgnoreCase("PATH"))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse("");
        }
        return new SearchPath(path);
    }

    /** The first match, by folder and then in the order of these names. */
    public Optional<Path> find(String... names) {
        return all(names).findFirst();
    }

    /** All programs with one of these names, in the order of the PATH. */
    public Stream<Path> all(String... names) {
        return absolute()
                .flatMap(folder -> Stream.of(names).flatMap(name -> file(folder, name)))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file));
    }

    /**
     * The path of a program as a user names it: a path stays as it is, a name is looked up. Otherwise Windows would
     * look in the current folder first.
     *
     * @throws IOException when it is not found
     */
    public String program(String named) throws IOException {
        if (named.contains("/") || named.contains(File.separator)) {
            return named;
        }
        return find(named, named + ".exe")
                .map(Path::toString)
                .orElseThrow(() -> new IOException(named + " was not found on the PATH"));
    }

    /**
     * The PATH for a program to start, without entries that mean a different folder in every repository. Empty when
     * none is left: then the variable must not be set at all, because an empty one means the current folder.
     */
    public Optional<String> withoutRelative() {
        String left = absolute().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        return left.isEmpty() ? Optional.empty() : Optional.of(left);
    }

    private Stream<Path> absolute() {
        return Stream.of(folders.split(File.pathSeparator)).flatMap(SearchPath::folder);
    }

    private static Stream<Path> folder(String entry) {
        try {
            return Stream.of(Path.of(entry)).filter(Path::isAbsolute);
        } catch (InvalidPathException _) {
            return Stream.empty();
        }
    }

    private static Stream<Path> file(Path folder, String name) {
        try {
            return Stream.of(folder.resolve(name));
        } catch (InvalidPathException _) {
            return Stream.empty();
        }
    }
}
