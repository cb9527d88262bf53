package dev.holdfast.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * A product class with something removed: its source is changed and compiled, and a checker runs on the result. The
 * real code has no switch for this.
 *
 * @param source the file, below src/main/java/dev/holdfast
 * @param changes snippet to replacement; each snippet must occur in the file exactly once
 */
public record ChangedSource(String source, Map<String, String> changes) {
    private static final Path SOURCES = Path.of("src", "main", "java", "dev", "holdfast");
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /** Kept open, because opening the libraries again would take most of the time. */
    private static final StandardJavaFileManager FILES = libraries();

    /**
     * What this checker objects to when it runs on the product with this change.
     *
     * @param classes an empty folder
     */
    public Optional<String> objection(Path classes, Class<? extends Checker> checker, List<String> arguments)
            throws Exception {
        compileInto(classes);
        return ChangedClasses.objection(classes, checker, arguments);
    }

    private static StandardJavaFileManager libraries() {
        StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, null);
        try {
            files.setLocationFromPaths(
                    StandardLocation.CLASS_PATH,
                    Stream.of(TestClassPath.entries()).map(Path::of).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    private void compileInto(Path classes) throws IOException {
        Path file = SOURCES.resolve(source);
        String text = Files.readString(file);
        for (Map.Entry<String, String> change : changes.entrySet()) {
            if (text.split(Pattern.quote(change.getKey()), -1).length != 2) {
                throw new IllegalStateException(source
                        + " no longer has this exactly once, so that it cannot be taken out: " + change.getKey());
            }
            text = text.replace(change.getKey(), change.getValue());
        }
        Path changed = Files.createDirectories(classes.resolve("source")).resolve(file.getFileName());
        Files.writeString(changed, text);
        FILES.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
        if (!COMPILER.getTask(
                        null, FILES, null, List.of("-nowarn", "-proc:none"), null, FILES.getJavaFileObjects(changed))
                .call()) {
            throw new IllegalStateException(source + " does not compile any more with " + changes);
        }
    }
}
