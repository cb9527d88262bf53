package dev.holdfast.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A broker in its own process, started as users do; stopped on close, or with this program. */
final class RunningBroker implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready on (http://[^ ]+)");

    private final Process process;
    private final Thread onExit;
    private final String url;

    private RunningBroker(Process process, Thread onExit, String url) {
        this.process = process;
        this.onExit = onExit;
        this.url = url;
    }

    static Optional<String> launcher() {
        return Optional.ofNullable(System.getProperty("holdfast.launcher"));
    }

    /** @param arguments of {@code serve}, besides the port */
    static RunningBroker start(List<String> arguments) throws IOException {
        // figures must be comparable, whatever the user's own settings
        Path settings = Files.writeString(Files.createTempFile("holdfast-bench-", ".json"), "{}");
        settings.toFile().deleteOnExit();
        List<String> command = new ArrayList<>(
                List.of(launcher().orElseThrow(), "serve", "--port", "0", "--config", settings.toString()));
        command.addAll(arguments);
        return run(command);
    }

    /** Runs any server that reports its address when ready. */
    static RunningBroker run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Thread onExit = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(onExit);
        return new RunningBroker(process, onExit, url(process.inputReader(StandardCharsets.UTF_8)));
    }

    private static String url(BufferedReader output) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.find()) {
                return ready.group(1);
            }
        }
        throw new IOException("the broker ended before it was ready");
    }

    String url() {
        return url;
    }

    /** The launcher becomes the broker's process. */
    long pid() {
        return process.pid();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        process.waitFor();
        Runtime.getRuntime().removeShutdownHook(onExit);
    }
}
