package dev.holdfast.cli.mcp;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.http.HttpAnswer;
import dev.holdfast.cli.http.HttpFailure;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.json.NotJsonException;
import dev.holdfast.cli.terminal.Shell;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Phaser;
import org.jspecify.annotations.Nullable;

/**
 * Forwards JSON-RPC messages: each line of stdin becomes a request to the broker, and its answer a line of stdout.
 * Every message has its own thread and connection, so that one that waits does not delay others, and the next one finds
 * a restarted broker.
 */
final class McpBridge {
    /** Longer than any tool waits; clients have their own timeouts, and cancel. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    /** How long a call waits for a broker that is restarting. */
    private static final Duration RESTART = Duration.ofSeconds(5);

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final String VERSION = "io.modelcontextprotocol/protocolVersion";
    private static final Base64.Encoder BASE64 = Base64.getEncoder();
    private static final int PARSE_ERROR = -32700;
    private static final int BROKER_ERROR = -32000;

    /** Makes sure that a broker is running, if requested. */
    interface Starting {
        void ensureRunning();
    }

    private final BrokerClient broker;
    private final String path;
    private final Starting starting;
    private final Shell shell;
    /** Running requests, by the JSON of their id. */
    private final Map<String, Thread> underWay = new ConcurrentHashMap<>();

    private final Phaser open = new Phaser(1);
    private volatile @Nullable String protocolVersion;

    McpBridge(BrokerClient broker, String path, Starting starting, Shell shell) {
        this.broker = broker;
        this.path = path;
        this.starting = starting;
        this.shell = shell;
    }

    /** Ends when the input has ended and all requests are answered, or when nobody reads the output. */
    ExitCode run() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(shell.in(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    take(line);
                }
            }
        } catch (IOException e) {
            shell.err().println("holdfast: cannot read standard input: " + e.getMessage());
        }
        open.arriveAndAwaitAdvance();
        return ExitCode.DONE;
    }

    private void take(String line) {
        JsonObject message;
        try {
            message = JsonObject.of(Json.read(line));
        } catch (NotJsonException e) {
            print(error(null, PARSE_ERROR, "the line is not valid JSON: " + e.getMessage()));
            return;
        }
        String method = message.text("method");
        if ("notifications/cancelled".equals(method)) {
            cancel(message.object("params").get("requestId"));
        }
        Object id = message.get("id");
        if (id != null && method != null) {
            Thread thread = Thread.ofVirtual().unstarted(() -> passRequest(line, headers(message), id, method));
            underWay.put(Json.write(id), thread);
            start(thread);
        } else {
            boolean notification = method != null && !message.has("id");
            start(Thread.ofVirtual().unstarted(() -> passOther(line, headers(message), notification)));
        }
    }

    private void start(Thread thread) {
        open.register();
        thread.start();
    }

    /** Hangs up on the broker, which takes back whatever it may have granted in the meantime. */
    private void cancel(@Nullable Object id) {
        Thread call = id == null ? null : underWay.remove(Json.write(id));
        if (call != null) {
            call.interrupt();
        }
    }

    private void passRequest(String line, Map<String, String> headers, Object id, String method) {
        try {
            String answer = answer(line, headers, id, method);
            // a cancelled request is not answered any more
            if (underWay.remove(Json.write(id)) != null && answer != null) {
                print(answer);
            }
        } finally {
            open.arriveAndDeregister();
        }
    }

    /** Notifications, responses, and anything else, which the broker reports as an error. */
    private void passOther(String line, Map<String, String> headers, boolean notification) {
        try {
            String answer = answer(line, headers, null, null);
            if (answer != null && !notification) {
                print(answer);
            }
        } finally {
            open.arriveAndDeregister();
        }
    }

    /** Null when the broker's answer is empty. */
    private @Nullable String answer(
            String line, Map<String, String> headers, @Nullable Object id, @Nullable String method) {
        try {
            HttpAnswer answer = send(line, headers);
            if (answer.status() == 202) {
                return null;
            }
            Reply reply = broker.reply(answer);
            JsonObject body = reply.json();
            if ("initialize".equals(method)) {
                protocolVersion = body.object("result").text("protocolVersion");
            }
            if (body.get("jsonrpc") != null) {
                return reply.text();
            }
            String refusal = body.text("error");
            return error(id, BROKER_ERROR, refusal == null ? "the broker answered " + answer.status() : refusal);
        } catch (HttpFailure e) {
            return error(id, BROKER_ERROR, broker.failure(e, false).text());
        } catch (Failure e) {
            return error(id, BROKER_ERROR, e.text());
        }
    }

    /** Without a connection nothing was sent, so it can be retried. */
    private HttpAnswer send(String line, Map<String, String> headers) throws HttpFailure {
        long deadline = System.nanoTime() + RESTART.toNanos();
        while (true) {
            try {
                return broker.http().post(path, headers, line.getBytes(StandardCharsets.UTF_8), PATIENCE);
            } catch (HttpFailure e) {
                boolean again = e.kind() == HttpFailure.Kind.NO_CONNECTION && System.nanoTime() < deadline;
                if (!again || !pause()) {
                    throw e;
                }
                starting.ensureRunning();
            }
        }
    }

    /** Since 2026-07-28, a message carries its version itself, and headers repeat what it is about. */
    private Map<String, String> headers(JsonObject message) {
        Map<String, String> headers = new HashMap<>(Map.of("Accept", "application/json, text/event-stream"));
        JsonObject params = message.object("params");
        String version = params.object("_meta").text(VERSION);
        String method = message.text("method");
        if (version == null || method == null) {
            if (protocolVersion != null) {
                headers.put("MCP-Protocol-Version", protocolVersion);
            }
            return headers;
        }
        headers.put("MCP-Protocol-Version", version);
        headers.put("Mcp-Method", method);
        String name = params.text(method.equals("resources/read") ? "uri" : "name");
        if (name != null) {
            headers.put("Mcp-Name", "=?base64?" + BASE64.encodeToString(name.getBytes(StandardCharsets.UTF_8)) + "?=");
        }
        return headers;
    }

    /** False when the call was cancelled in the meantime. */
    private static boolean pause() {
        try {
            Thread.sleep(PAUSE);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String error(@Nullable Object id, int code, String text) {
        Map<String, @Nullable Object> error = new LinkedHashMap<>();
        error.put("code", code);
        error.put("message", text);
        Map<String, @Nullable Object> response = new LinkedHashMap<>();
        response.put("jsonrpc", "2.0");
        response.put("id", id);
        response.put("error", error);
        return Json.write(response);
    }

    /** One message per line: line breaks in a document become spaces, as there are none inside strings. */
    private void print(String message) {
        byte[] line = (message.replace('\n', ' ').replace('\r', ' ') + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (shell.out()) {
            shell.out().writeBytes(line);
            shell.out().flush();
        }
        if (shell.out().checkError()) {
            underWay.values().forEach(Thread::interrupt); // nobody is left to receive what they would be granted
        }
    }
}
