package dev.holdfast.broker;

import dev.holdfast.broker.crash.BrokerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A process that calls a broker when it is told to, itself or by a child of its own. */
public final class AnotherProcess implements AutoCloseable {
    private static final JsonMapper MAPPER = JsonMapper.shared();
    /** Before what is for a child to do. */
    private static final String FOR_A_CHILD = ">";

    private static final String PID = "pid";

    private final String url;
    private final Process process;
    private final String prefix;

    private AnotherProcess(String url, Process process, String prefix) {
        this.url = url;
        this.process = process;
        this.prefix = prefix;
    }

    public static AnotherProcess calling(Broker broker) throws IOException {
        return new AnotherProcess(broker.url(), start(), "");
    }

    /** What a process says that this one has started. */
    public AnotherProcess child() {
        return new AnotherProcess(url, process, prefix + FOR_A_CHILD);
    }

    public long pid() throws IOException {
        return Long.parseLong(ask(PID));
    }

    public record Answer(int status, JsonNode body) {
        public String text(String field) {
            return body.path(field).asString();
        }

        public String code() {
            return body.path("code").asString("");
        }
    }

    /** Calls a verb with arguments given as name, value, name, value, … */
    public Answer call(String verb, Object... arguments) throws IOException {
        Map<String, Object> body = new LinkedHashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            body.put((String) arguments[i], arguments[i + 1]);
        }
        return post("/api/v1/" + verb, Map.of(), MAPPER.writeValueAsString(body));
    }

    public Answer post(String path, Map<String, String> headers, String body) throws IOException {
        String line = MAPPER.writeValueAsString(Map.of("url", url + path, "headers", headers, "body", body));
        JsonNode told = MAPPER.readTree(ask(line));
        return new Answer(
                told.path("status").asInt(), MAPPER.readTree(told.path("body").asString()));
    }

    private String ask(String line) throws IOException {
        process.getOutputStream().write((prefix + line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        StringBuilder answer = new StringBuilder();
        for (int c = process.getInputStream().read();
                c != '\n';
                c = process.getInputStream().read()) {
            if (c < 0) {
                throw new IOException("the other process has ended");
            }
            answer.append((char) c); // it answers in ASCII
        }
        return answer.toString();
    }

    /** As {@code kill -9}. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static Process start() throws IOException {
        List<String> command = new ArrayList<>(BrokerProcess.java());
        command.addAll(List.of("-Xmx64m", AnotherProcess.class.getName()));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    public static void main(String[] none) throws Exception {
        @Nullable Process child = null;
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(FOR_A_CHILD)) {
                    child = child == null ? start() : child;
                    child.getOutputStream()
                            .write((line.substring(FOR_A_CHILD.length()) + "\n").getBytes(StandardCharsets.UTF_8));
                    child.getOutputStream().flush();
                    out.println(child.inputReader(StandardCharsets.US_ASCII).readLine());
                } else if (line.equals(PID)) {
                    out.println(ProcessHandle.current().pid());
                } else {
                    out.println(answer(client, MAPPER.readTree(line)));
                }
            }
        }
        if (child != null) {
            child.destroyForcibly();
        }
    }

    private static String answer(HttpClient client, JsonNode told) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(told.path("url").asString()))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(told.path("body").asString()));
        told.path("headers").forEachEntry((name, value) -> request.header(name, value.asString()));
        var answer = client.send(request.build(), BodyHandlers.ofString());
        String json = MAPPER.writeValueAsString(Map.of("status", answer.statusCode(), "body", answer.body()));
        return json.codePoints()
                .mapToObj(c -> c < 128 ? Character.toString(c) : "?") // nothing that is looked at has others
                .reduce("", String::concat);
    }
}
