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
 * Where programs are looked for. By hand: Java would look in its own PATH, not in the one that a program is given, and both Java
 * and the system follow an entry such as {@code .} or {@code bin}, which means another folder in every repository. Only absolute
 * entries count here.
 *
 * @param folders as the variable PATH has them
 */
public record SearchPath(String folders) {
    /** The one of an environment; Windows writes the name as it likes. */
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

    /** The first of the folders that has one of these, in this order. */
    public Optional<Path> find(String... names) {
        return all(names).findFirst();
    }

    /** Every program of one of these names, those that come first first. */
    public Stream<Path> all(String... names) {
        return absolute()
                .flatMap(folder -> Stream.of(names).flatMap(name -> file(folder, name)))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file));
    }

    /**
     * The path of a program that is named as a user would: by its path, which stays as it is, or by its name, which is looked for.
     * Windows would otherwise look in the current folder first.
     *
     * @throws IOException when there is none
     */
    public String program(String named) throws IOException {
        if (named.contains("/") || named.contains(File.separator)) {
            return named;
        }
        return find(named, named + ".exe")
                .map(Path::toString)
                .orElseThrow(() -> new IOException(named + " was not found in the PATH"));
    }

    /**
     * The value for the PATH of a program that is started: without entries that mean another folder in every repository. Empty when
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
