package dev.holdfast.bench;

import dev.holdfast.store.Engine;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A broker as the launcher starts it, and one connection to it. */
final class BrokerCalls implements AutoCloseable {
    private final RunningBroker broker;
    private HttpConnection connection;
    private long used = System.nanoTime();

    private BrokerCalls(RunningBroker broker) throws IOException {
        this.broker = broker;
        connection = new HttpConnection(broker.url());
    }

    /** @param place a PostgreSQL address, or SQLite's folder */
    static BrokerCalls start(Lab lab, Engine engine, String place) throws Exception {
        return new BrokerCalls(RunningBroker.start(
                engine == Engine.POSTGRES
                        ? List.of("--data", lab.folder().toString(), "--database", place)
                        : List.of("--data", place)));
    }

    /** Call this before a turn: a broker closes connections that are idle for long. */
    void reconnect() throws IOException {
        if (System.nanoTime() - used > TimeUnit.SECONDS.toNanos(5)) {
            connection.close();
            connection = new HttpConnection(broker.url());
        }
    }

    /** @param arguments JSON, with single quotes instead of double ones */
    JsonNode post(String verb, String arguments) throws IOException {
        String json = arguments.replace('\'', '"');
        HttpConnection.Answer answer = connection.post("/api/v1/" + verb, json);
        for (int i = 0; answer.status() == 503 && i < 10; i++) {
            answer = connection.post("/api/v1/" + verb, json); // busy: ask again
        }
        return JsonMapper.shared().readTree(ok(verb + " " + arguments, answer));
    }

    String get(String path) throws IOException {
        return ok(path, connection.get(path));
    }

    private String ok(String asked, HttpConnection.Answer answer) {
        used = System.nanoTime();
        if (answer.status() != 200) {
            throw new IllegalStateException(asked + " is answered " + answer);
        }
        return answer.body();
    }

    @Override
    public void close() throws Exception {
        connection.close();
        broker.close();
    }
}
