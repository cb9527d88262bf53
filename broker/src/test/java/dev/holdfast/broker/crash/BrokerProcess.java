package dev.holdfast.broker.crash;

import static org.awaitility.Awaitility.await;

import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestSqlite;
import dev.holdfast.testing.WarmJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A broker in a process of its own, started as a user would, that the test may kill. */
public final class BrokerProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("holdfast is ready on (https?://\\S+) .*");
    private static final String SERVE = "dev.holdfast.broker.ServeCommand";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Process process;
    private final URI address;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    /** What the broker answered. */
    public record Answer(int status, JsonNode body) {
        public String text(String field) {
            return body.path(field).asString();
        }

        public long generation() {
            return body.path("claim_generation").asLong();
        }
    }

    /**
     * How to start it: where its store is, on which port, and with which variables beside our own.
     *
     * @param log the file that its log is added to; null: our own
     */
    public record Start(
            List<String> store,
            int port,
            Map<String, String> environment,
            @Nullable Path log) {
        public static Start onSqlite(Path folder) {
            return new Start(List.of("--data", TestSqlite.in(folder).toString()), 0, Map.of(), null);
        }

        public static Start onPostgres(String database) {
            return new Start(List.of("--database", database), 0, Map.of(), null);
        }

        /** Another one where the first was, for clients that know its address. */
        public Start at(URI address) {
            return new Start(store, address.getPort(), environment, log);
        }

        public Start with(String variable, String value) {
            Map<String, String> more = new HashMap<>(environment);
            more.put(variable, value);
            return new Start(store, port, more, log);
        }

        public Start logTo(Path file) {
            return new Start(store, port, environment, file);
        }

        public BrokerProcess now() throws IOException {
            List<String> command = new ArrayList<>(java());
            command.addAll(List.of(SERVE, "--port", Integer.toString(port)));
            command.addAll(store);
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectError(
                            log == null
                                    ? ProcessBuilder.Redirect.INHERIT
                                    : ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().putAll(environment);
            return new BrokerProcess(builder.start());
        }
    }

    /** The words that start a main class of the broker's or of its tests, but for the name. */
    public static List<String> java() {
        return WarmJvm.of(Training.class.getName(), () -> List.of("target/warm/data", TestPostgres.freshDatabase()));
    }

    private BrokerProcess(Process process) throws IOException {
        this.process = process;
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = output.readLine();
        Matcher ready = READY.matcher(line == null ? "" : line);
        if (!ready.matches()) {
            process.destroyForcibly();
            throw new IOException("the broker did not start: " + line);
        }
        address = URI.create(ready.group(1));
    }

    public URI address() {
        return address;
    }

    public long pid() {
        return process.pid();
    }

    /** The processes that it started and that still run. */
    public long children() {
        return process.descendants().count();
    }

    /** Calls a verb; throws when the broker is not there to answer. */
    public Answer call(String verb, Map<String, ?> arguments) throws IOException, InterruptedException {
        return send(post(verb, arguments));
    }

    /** Calls a verb as whoever this token belongs to. */
    Answer callAs(String token, String verb, Map<String, ?> arguments) throws IOException, InterruptedException {
        return send(post(verb, arguments).header("Authorization", "Bearer " + token));
    }

    private HttpRequest.Builder post(String verb, Map<String, ?> arguments) {
        return HttpRequest.newBuilder(address.resolve("/api/v1/" + verb))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(60))
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(arguments)));
    }

    private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), JSON.readTree(response.body()));
    }

    /** As {@code kill -9}: nothing is said, nothing is finished. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** Returns when every one of its threads stands still: the signal is only sent, and one that runs goes on a little. */
    public void pause() throws IOException, InterruptedException {
        signal("-STOP");
        await().ignoreExceptions().until(this::standsStill); // a thread may end while it is looked at
    }

    private boolean standsStill() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            for (Path thread : threads.toList()) {
                // the name may have brackets of its own; the state is the first word after the last one
                String status = Files.readString(thread.resolve("stat"));
                if (status.charAt(status.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
        }
        return true;
    }

    public void resume() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IOException("kill " + name + " answered " + exit);
        }
    }

    /** Stops it politely; returns its exit code. */
    public int stop() throws InterruptedException {
        return stop(Duration.ofSeconds(10));
    }

    /** The same, for one that lets its callers go elsewhere first. */
    public int stop(Duration patience) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("the broker did not stop within " + patience.toSeconds() + " s");
        }
        return process.exitValue();
    }

    /** With all that it has started and not ended; of one that was killed before, nothing more is known. */
    @Override
    public void close() {
        client.shutdownNow();
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
