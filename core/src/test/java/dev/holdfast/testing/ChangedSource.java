package dev.holdfast.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * A class of the product with something taken out: its source is changed and compiled, and a checker runs on the result.
 * The real code has no switch for it.
 *
 * @param source the file, below src/main/java/dev/holdfast
 * @param changes snippet to replacement; each snippet must stand in the file exactly once
 */
public record ChangedSource(String source, Map<String, String> changes) {
    private static final Path SOURCES = Path.of("src", "main", "java", "dev", "holdfast");

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
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options = List.of(
                "-nowarn", "-proc:none", "-d", classes.toString(), "-cp", TestClassPath.whole(), changed.toString());
        if (compiler.run(null, null, null, options.toArray(String[]::new)) != 0) {
            throw new IllegalStateException(source + " does not compile any more with " + changes);
        }
    }
}
