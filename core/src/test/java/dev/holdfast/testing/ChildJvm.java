package dev.holdfast.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A separate Java process whose output is kept. */
public final class ChildJvm {
    private final Process process;
    private final Path output;

    private ChildJvm(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Starts it with this command, such as that of a {@link WarmJvm} and a main class. */
    public static ChildJvm start(List<String> command) {
        try {
            Path output = Files.createTempFile("holdfast-child", ".log");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            return new ChildJvm(process, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for it to end; a process that takes longer than this is killed, which is an error. */
    public int exitCode(long seconds) throws InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("still running after " + seconds + " s: " + output());
        }
        return process.exitValue();
    }

    /** What it has printed so far. */
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Process process() {
        return process;
    }
}
