package dev.holdfast.broker.race;

import dev.holdfast.broker.crash.BrokerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A {@link RacingAgent} that runs, and what it has said so far. */
final class AgentProcess implements AutoCloseable {
    /** What an agent said: {@code took}, {@code closed} or {@code refused}, of which item, at which generation. */
    record Said(String what, String id, long generation, String code) {
        private static Said of(String line) {
            String[] words = line.split(" ", -1);
            return new Said(words[0], words[1], Long.parseLong(words[2]), words.length > 3 ? words[3] : "");
        }
    }

    private final String name;
    private final String url;
    private final Process process;
    private final List<Said> said = new CopyOnWriteArrayList<>();
    private final Thread reader;

    AgentProcess(String name, String url, Duration ttl, int longestWork) throws IOException {
        this.name = name;
        this.url = url;
        List<String> command = new ArrayList<>(BrokerProcess.java());
        command.addAll(List.of(
                "-Xmx64m",
                RacingAgent.class.getName(),
                url,
                name,
                Long.toString(ttl.toSeconds()),
                Integer.toString(longestWork)));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        reader = Thread.startVirtualThread(() -> listen(process));
    }

    private void listen(Process speaking) {
        try (BufferedReader lines = speaking.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().map(Said::of).forEach(said::add);
        } catch (IOException | UncheckedIOException | IndexOutOfBoundsException e) {
            // it was killed in the middle of a word
        }
    }

    String name() {
        return name;
    }

    /** The broker that it talks to. */
    String url() {
        return url;
    }

    List<Said> said() {
        return said;
    }

    long closed() {
        return said.stream().filter(one -> one.what.equals("closed")).count();
    }

    /** What it has taken, and not said to be over. */
    Optional<Said> taken() {
        List<Said> soFar = List.copyOf(said);
        return soFar.isEmpty() ? Optional.empty() : Optional.of(soFar.getLast()).filter(one -> one.what.equals("took"));
    }

    /** As {@code kill -9}. Returns what it had in hand. */
    Optional<Said> kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        reader.join();
        return taken();
    }

    /** Lets it go on with what it has taken; see {@link RacingAgent#UNTIL_TOLD}. */
    void startWaiting() throws IOException {
        process.getOutputStream().close();
    }

    boolean ends(Duration within) throws InterruptedException {
        boolean ended = process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
        if (ended) {
            reader.join();
        }
        return ended;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
