package dev.holdfast.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a command sees of the world around it.
 *
 * @param width columns of the terminal; 0 when output goes into a pipe or a file, where nothing is fitted to any width
 */
record Shell(
        Map<String, String> environment,
        InputStream in,
        PrintStream out,
        PrintStream err,
        IntSupplier width,
        InstantSource clock) {
    /** A variable; one that is set to nothing counts as not set. */
    @Nullable
    String variable(String name) {
        String value = environment.get(name);
        return value == null || value.isBlank() ? null : value;
    }
}
