package dev.holdfast.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Java process of its own, on the class path of this one. */
public final class ChildJvm {
    private final Process process;
    private final Path output;

    private ChildJvm(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * Starts the main method of a class.
     *
     * @param before class path entries that come before the test's own
     * @param options of the JVM
     */
    public static ChildJvm start(String main, List<Path> before, List<String> options, List<String> arguments) {
        return start(List.of(), main, before, options, arguments);
    }

    /** The same, run by another program, such as {@code faketime}. */
    public static ChildJvm start(
            List<String> wrapper, String main, List<Path> before, List<String> options, List<String> arguments) {
        List<String> classPath =
                new ArrayList<>(before.stream().map(Path::toString).toList());
        classPath.add(TestClassPath.whole());
        List<String> command = new ArrayList<>(wrapper);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-XX:+UseSerialGC");
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(options);
        command.add("-cp");
        command.add(String.join(System.getProperty("path.separator"), classPath));
        command.add(main);
        command.addAll(arguments);
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

    /** Waits for its end; a process that takes longer than this is killed, and that is an error. */
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
