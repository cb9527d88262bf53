package dev.holdfast.broker.fuzz;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestSqlite;
import dev.holdfast.testing.TestStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** A broker with a few things in it and a store of its own, watched, for one round of inputs one after the other. */
final class Target implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");

    /**
     * What the broker writes by itself, and what it notes of a call that it refuses: that an agent is alive, that a token was used, and that somebody
     * tried to end a task.
     */
    private static final List<String> ALLOWED = List.of(
            "INSERT queue_samples",
            "INSERT tallied_reviews",
            "UPDATE tallied_reviews",
            "INSERT review_figures",
            "UPDATE review_figures",
            "UPDATE review_tally",
            "UPDATE agents",
            "UPDATE tokens",
            "INSERT finalization_attempts");

    /** In the names of the brokers of this process. */
    private static final String ITSELF = "-" + ProcessHandle.current().pid() + "-";

    /** What the steps that are left of an ended task come to, a moment later. */
    private static final Set<String> SETTLED = Set.of("UPDATE task_counters", "UPDATE tasks");

    /** What an agent has been told of, once the answer has arrived: after the answer. */
    private static final String TOLD = "DELETE displacements";

    /** So many inputs later, on a busy machine. */
    private static final int FOLLOWS_WITHIN = 5;

    /**
     * Events of what happens by itself, in transactions of their own. A review whose change no longer applies is
     * rejected when somebody wants to claim it.
     */
    private static final Set<String> BY_ITSELF =
            Set.of("reclaimed", "due", "parked", "session_ended", "task_due", "step_cancelled", "review_auto_rejected");

    private final Path folder;
    private final Broker broker;
    private final WriteWatch watch;
    private final Wire wire;
    private final Learnt learnt = new Learnt();
    private final JsonNode openApi;

    /** @param postgres else SQLite */
    Target(boolean postgres) throws IOException, SQLException {
        folder = newFolder();
        Path data = TestSqlite.in(folder.resolve("data"));
        Settings settings = new Settings().put(Setting.DATA, data.toString()).put(Setting.WAIT_LIMIT, 1L);
        String address = postgres ? TestPostgres.freshDatabase() : "jdbc:sqlite:" + data.resolve("holdfast.db");
        watch = new WriteWatch(address);
        broker = Broker.start(Config.in(folder, postgres ? settings.put(Setting.DATABASE, address) : settings));
        wire = new Wire(broker.url(), Rounds.HANGS);
        try (BrokerClient caller = new BrokerClient(broker)) {
            openApi = caller.get("/api/v1/openapi.json").body();
            fill(caller);
        }
    }

    /** In memory, where there is some: a disk has better to do. */
    static Path newFolder() throws IOException {
        return Files.isDirectory(MEMORY)
                ? Files.createTempDirectory(MEMORY, "holdfast-fuzz")
                : Files.createTempDirectory("holdfast-fuzz");
    }

    private void fill(BrokerClient caller) {
        for (String name : List.of("ann", "bob")) {
            learnt.from(caller.call("create_work", "title", "something").body());
            learnt.from(caller.call(
                            "create_review",
                            "intent",
                            "something",
                            "project",
                            "shop",
                            "agent_id",
                            name,
                            "diff",
                            Samples.DIFF)
                    .body());
            learnt.from(caller.call(
                            "create_task",
                            "name",
                            "something",
                            "steps",
                            List.of(Map.of("key", "one"), Map.of("key", "two", "depends_on", List.of("one"))))
                    .body());
            learnt.from(caller.call("claim", "resource", "key:" + name, "holder", name)
                    .body());
        }
    }

    Broker broker() {
        return broker;
    }

    JsonNode openApi() {
        return openApi;
    }

    Learnt learnt() {
        return learnt;
    }

    Path folder() {
        return folder;
    }

    /** Sends a round of inputs, one after the other, so that what is written is written by the last one. */
    void round(int number, int inputs, Noise noise, Door door, LogWatch log, Rounds rounds) throws SQLException {
        watch.written();
        int mayFollow = 0;
        for (int i = 0; i < inputs && !rounds.enoughIsWrong(); ) {
            Door.Input input = door.next(noise);
            i += input.inputs();
            long sent = System.nanoTime();
            Door.Outcome outcome;
            try {
                outcome = door.judge(
                        input,
                        wire.send(input.bytes(wire.port()), input.method().equals("HEAD")),
                        learnt);
            } catch (IOException e) {
                rounds.wrong(number, "no answer: " + e, input);
                closeWire();
                continue;
            }
            rounds.took(number, System.nanoTime() - sent, input);
            rounds.kind(outcome.kind());
            if (outcome.wrong() != null) {
                rounds.wrong(number, outcome.wrong(), input);
            }
            for (String line = log.next(); line != null; line = log.next()) {
                rounds.wrong(number, "the log has " + line, input);
            }
            boolean told = mayFollow > 0;
            List<String> written = watch.written().stream()
                    .filter(what -> !(told && what.equals(TOLD)))
                    .toList();
            mayFollow = outcome.mayWrite() ? FOLLOWS_WITHIN : mayFollow - 1;
            if (!outcome.mayWrite() && !happensAnyway(written)) {
                rounds.wrong(number, outcome.kind() + ", and yet " + written, input);
            }
        }
        rounds.done(inputs);
    }

    private static boolean happensAnyway(List<String> written) {
        List<String> rest = written.stream()
                .filter(what -> !what.contains(" broker:") && ALLOWED.stream().noneMatch(what::startsWith))
                .toList();
        List<String> events =
                rest.stream().filter(what -> what.startsWith("INSERT events ")).toList();
        return rest.isEmpty()
                || SETTLED.containsAll(rest)
                || (!events.isEmpty() && events.stream().allMatch(Target::byItself));
    }

    private static boolean byItself(String event) {
        return BY_ITSELF.contains(event.split(" ")[2]) || event.contains(ITSELF);
    }

    private void closeWire() {
        try {
            wire.close();
        } catch (IOException _) {
            // it was broken before
        }
    }

    @Override
    public void close() throws SQLException {
        closeWire();
        broker.close();
        watch.close();
        TestStore.delete(folder);
    }
}
