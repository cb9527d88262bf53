package dev.holdfast.claim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The claim code with one guard taken out: the source is changed in memory, compiled, and put before the real classes
 * on the class path of another process. The real code has no switch for it.
 *
 * @param file of dev.holdfast.claim
 * @param changes snippet to replacement; each snippet must stand in the file exactly once
 */
record Mutant(
        String guard, String file, Map<String, String> changes, GuardHarness.Scenario scenario, boolean postgres) {
    private static final Path SOURCES = Path.of("src", "main", "java", "dev", "holdfast", "claim");

    /** Compiles the changed source into this folder. */
    void compileInto(Path classes) throws IOException {
        String source = Files.readString(SOURCES.resolve(file));
        for (Map.Entry<String, String> change : changes.entrySet()) {
            if (source.split(java.util.regex.Pattern.quote(change.getKey()), -1).length != 2) {
                throw new IllegalStateException(file + " no longer has this exactly once, so that the guard '" + guard
                        + "' cannot be taken out: " + change.getKey());
            }
            source = source.replace(change.getKey(), change.getValue());
        }
        Path changed = Files.createDirectories(classes.resolve("source")).resolve(file);
        Files.writeString(changed, source);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> options =
                List.of("-nowarn", "-proc:none", "-d", classes.toString(), "-cp", classPath, changed.toString());
        if (compiler.run(null, null, null, options.toArray(String[]::new)) != 0) {
            throw new IllegalStateException("the code without the guard '" + guard + "' does not compile");
        }
    }

    @Override
    public String toString() {
        return guard + " in " + file + " on " + (postgres ? "PostgreSQL" : "SQLite");
    }
}
