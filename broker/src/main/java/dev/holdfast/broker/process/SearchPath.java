package dev.holdfast.broker.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a program is looked for. By hand: Java would look in its own PATH, not in the one that the program is given.
 *
 * @param folders as the variable PATH has them
 */
public record SearchPath(String folders) {
    /** The first of the folders that has one of these, in this order. */
    public Optional<Path> find(String... names) {
        return Stream.of(folders.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .flatMap(folder -> Stream.of(names).flatMap(name -> path(folder, name)))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    private static Stream<Path> path(String folder, String name) {
        try {
            return Stream.of(Path.of(folder, name).toAbsolutePath());
        } catch (InvalidPathException _) {
            return Stream.empty();
        }
    }
}
