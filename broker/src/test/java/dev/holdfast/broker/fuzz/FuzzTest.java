package dev.holdfast.broker.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.broker.Broker;
import dev.holdfast.broker.Caller;
import dev.holdfast.broker.Caller.Reply;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.ConfigException;
import dev.holdfast.broker.config.ConfigFile;
import dev.holdfast.broker.config.ConfigSchema;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestSqlite;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Whatever comes in: an answer with a code, in time; nothing is written by what was refused. How many inputs a door gets, and
 * from which seed: {@code holdfast.fuzz.inputs}, {@code holdfast.fuzz.seed}.
 */
@Tag("fuzz")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FuzzTest {
    private static final int INPUTS = Integer.getInteger("holdfast.fuzz.inputs", 5_000);
    private static final long SEED = Long.getLong("holdfast.fuzz.seed", 16);
    /** A diff is parsed in no time. */
    private static final int TIMES_FOR_TEXT = 20;

    private static final Duration HANGS = Duration.ofSeconds(30);
    private static final JsonMapper JSON = JsonMapper.shared();

    /** What happens by itself; steps that are left of an ended task are cancelled in the background. */
    private static final Set<String> BY_ITSELF =
            Set.of("reclaimed", "due", "parked", "session_ended", "task_due", "step_cancelled");

    /** What a hook that makes no sense ends with, in the log; the host is told nothing. */
    private static final List<String> EXPECTED = List.of(
            "dev.holdfast.claim.RefusedException", "dev.holdfast.claim.InvalidException", "tools.jackson.core.");

    private static final String DIFF = """
            diff --git a/a.txt b/a.txt
            index 0000000..1111111 100644
            --- a/a.txt
            +++ b/a.txt
            @@ -1,3 +1,4 @@ heading
             one
            -two
            +three
            +four
             five
            \\ No newline at end of file
            diff --git "a/\\303\\244.bin" "b/\\303\\244.bin"
            new file mode 100755
            index 0000000..e69de29
            Binary files /dev/null and "b/\\303\\244.bin" differ
            diff --git a/old b/new
            similarity index 100%
            rename from old
            rename to new
            """;

    private static final String BEADS = """
            {"id":"bd-1","title":"one","status":"open","priority":2,"issue_type":"task","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","labels":["a"]}
            {"id":"bd-2","title":"two","status":"closed","priority":0,"issue_type":"bug","dependencies":[{"issue_id":"bd-2","depends_on_id":"bd-1","type":"blocks"}]}
            """;

    private Broker broker;
    private Caller caller;
    private Connection database;
    private final List<String> known = new ArrayList<>(List.of("key:a", "ann", "shop"));
    private final List<String> wrong = new ArrayList<>();
    private Path folder;
    private long began;

    @BeforeAll
    void start(@TempDir Path temporary) throws SQLException {
        folder = temporary;
        Path data = TestSqlite.in(folder);
        broker = Broker.start(Config.in(
                folder, new Settings().put(Setting.DATA, data.toString()).put(Setting.WAIT_LIMIT, 1L)));
        caller = new Caller(broker);
        database = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("holdfast.db"));
        known.add(caller.call("create_work", "title", "something")
                .body()
                .at("/item/id")
                .asString());
        known.add(caller.call("create_review", "intent", "something", "project", "shop", "diff", DIFF)
                .text("review_id"));
        String task = caller.call("create_task", "name", "something", "steps", List.of(Map.of("key", "one")))
                .text("task_id");
        known.addAll(List.of(task, task + ".one", "step:" + task + ".one", "work:" + known.get(3)));
    }

    @AfterAll
    void stop() throws SQLException {
        database.close();
        caller.close();
        broker.close();
    }

    private Noise noise(String door) {
        began = System.nanoTime();
        return new Noise(new Random(SEED * 31 + door.hashCode()), known);
    }

    private void report(String door, int inputs) {
        System.out.printf(
                "%d inputs, seed %d: %s, %d wrong, %d a second%n",
                inputs, SEED, door, wrong.size(), inputs * 1_000_000_000L / (System.nanoTime() - began));
        List<String> all = List.copyOf(wrong);
        wrong.clear();
        assertThat(all.stream().limit(20)).isEmpty();
    }

    private long lastEvent() throws SQLException {
        try (Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery("SELECT coalesce(max(id), 0) FROM events")) {
            row.next();
            return row.getLong(1);
        }
    }

    private void nothingWrittenAfter(long before, String by) throws SQLException {
        if (lastEvent() == before) {
            return;
        }
        try (Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT type, resource FROM events WHERE resource NOT LIKE 'broker:%' AND id > " + before)) {
            while (row.next()) {
                if (!BY_ITSELF.contains(row.getString(1))) {
                    wrong.add("refused, and yet " + row.getString(1) + " " + row.getString(2) + ": " + by);
                }
            }
        }
    }

    private @Nullable Reply send(HttpRequest.Builder request, String what) throws Exception {
        try {
            return caller.send(request).get(HANGS.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException _) {
            wrong.add("no answer: " + what);
            return null;
        }
    }

    @Test
    void http() throws Exception {
        Noise noise = noise("http");
        List<Verb> verbs = broker.verbs();
        for (int i = 0; i < INPUTS; i++) {
            Verb verb = verbs.get(i % verbs.size());
            String body = noise.json(noise.arguments(verb));
            long before = lastEvent();
            String what = verb.name() + " " + body;
            Reply reply = send(caller.post(verb.name(), body), what);
            if (reply == null) {
                continue;
            }
            if (reply.status() >= 500 && !reply.text("code").equals("busy")) {
                wrong.add(reply.status() + " " + reply.body() + ": " + what);
            } else if (reply.status() != 200) {
                if (reply.text("code").isEmpty()) {
                    wrong.add("a refusal without a code: " + reply.status() + " " + what);
                }
                nothingWrittenAfter(before, what);
            }
        }
        report("HTTP", INPUTS);
    }

    @Test
    void mcp() throws Exception {
        Noise noise = noise("mcp");
        List<Verb> verbs = broker.verbs();
        Random random = new Random(SEED);
        List<String> methods =
                List.of("tools/call", "tools/call", "tools/call", "tools/list", "initialize", "ping", "x", "");
        for (int i = 0; i < INPUTS; i++) {
            Verb verb = verbs.get(i % verbs.size());
            Map<String, @Nullable Object> message = new LinkedHashMap<>();
            message.put("jsonrpc", random.nextInt(30) == 0 ? noise.text() : "2.0");
            message.put("id", random.nextInt(10) == 0 ? noise.text() : i);
            message.put("method", methods.get(random.nextInt(methods.size())));
            message.put("params", Map.of("name", verb.name(), "arguments", noise.arguments(verb)));
            String body = noise.json(random.nextInt(40) == 0 ? List.of(message, message) : message);
            long before = lastEvent();
            Reply reply = send(
                    caller.request(random.nextBoolean() ? "/mcp/all" : "/coder/mcp")
                            .header("Content-Type", "application/json")
                            .header("Accept", "application/json, text/event-stream")
                            .POST(HttpRequest.BodyPublishers.ofString(body)),
                    body);
            if (reply == null) {
                continue;
            }
            boolean busy = reply.body().toString().contains("\"busy\"");
            if ((reply.status() >= 500 || reply.body().toString().contains("-32603")) && !busy) {
                wrong.add(reply.status() + " " + reply.body() + ": " + body);
            } else if (reply.status() != 200
                    || reply.body().has("error")
                    || reply.body().at("/result/isError").asBoolean(false)) {
                nothingWrittenAfter(before, body);
            }
        }
        report("MCP", INPUTS);
    }

    @Test
    void hooks() throws Exception {
        Noise noise = noise("hooks");
        Random random = new Random(SEED);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger door = (Logger) LoggerFactory.getLogger("dev.holdfast.broker.hook.HookDoor");
        door.addAppender(log);
        door.setAdditive(false);
        List<String> events = List.of(
                "SessionStart",
                "SessionEnd",
                "PreToolUse",
                "PostToolUse",
                "SubagentStart",
                "SubagentStop",
                "Stop",
                "UserPromptSubmit",
                "");
        for (int i = 0; i < INPUTS; i++) {
            Map<String, @Nullable Object> call = new LinkedHashMap<>();
            call.put(
                    "hook_event_name",
                    random.nextInt(10) == 0 ? noise.text() : events.get(random.nextInt(events.size())));
            call.put("session_id", random.nextBoolean() ? "s" + random.nextInt(5) : noise.text());
            call.put("cwd", random.nextBoolean() ? folder.toString() : noise.text());
            call.put("tool_name", random.nextBoolean() ? "Write" : noise.text());
            call.put("tool_input", random.nextBoolean() ? Map.of("file_path", noise.text()) : noise.text());
            call.put("agent_id", noise.text());
            String body = noise.json(call);
            Reply reply = send(
                    caller.request(random.nextBoolean() ? "/hooks/claude" : "/hooks/codex?guard=paths")
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(body)),
                    body);
            if (reply != null && reply.status() != 200) {
                wrong.add(reply.status() + ": " + body);
            }
            for (ILoggingEvent line : List.copyOf(log.list)) {
                String text = line.getFormattedMessage();
                if (EXPECTED.stream().noneMatch(text::contains)) {
                    wrong.add(text + ": " + body);
                }
            }
            log.list.clear();
        }
        door.detachAppender(log);
        door.setAdditive(true);
        report("hooks", INPUTS);
    }

    @Test
    void diffs() {
        Noise noise = noise("diffs");
        for (int i = 0; i < INPUTS * TIMES_FOR_TEXT; i++) {
            String text = noise.damaged(DIFF, 1);
            try {
                Diff.parse(text);
            } catch (RuntimeException | StackOverflowError e) {
                wrong.add(e + ": " + text);
            }
        }
        report("diffs", INPUTS * TIMES_FOR_TEXT);
    }

    @Test
    void jsonl() throws Exception {
        Noise noise = noise("jsonl");
        for (int i = 0; i < INPUTS; i++) {
            List<String> lines = noise.damaged(BEADS, 1).lines().toList();
            String body = JSON.writeValueAsString(Map.of("lines", lines, "queue", "imported"));
            long before = lastEvent();
            Reply reply = send(caller.post("import_work", body), body);
            if (reply != null && reply.status() >= 500) {
                wrong.add(reply.status() + " " + reply.body() + ": " + body);
            } else if (reply != null && reply.status() != 200) {
                nothingWrittenAfter(before, body);
            }
        }
        report("JSONL", INPUTS);
    }

    @Test
    void config() throws IOException {
        Noise noise = noise("config");
        Random random = new Random(SEED);
        Map<?, ?> properties =
                (Map<?, ?>) Objects.requireNonNull(ConfigSchema.document().get("properties"));
        List<String> sections = new ArrayList<>(
                properties.keySet().stream().map(String::valueOf).toList());
        Path file = folder.resolve("fuzz.json");
        for (int i = 0; i < INPUTS; i++) {
            Map<String, @Nullable Object> content = new LinkedHashMap<>();
            String section = sections.get(random.nextInt(sections.size()));
            Map<?, ?> settings =
                    (Map<?, ?>) ((Map<?, ?>) ConfigSchema.document().get("properties")).get(section);
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            if (settings != null && settings.get("properties") instanceof Map<?, ?> names) {
                names.keySet().stream()
                        .filter(_ -> random.nextInt(4) == 0)
                        .forEach(name -> values.put(
                                String.valueOf(name), random.nextBoolean() ? noise.text() : random.nextLong()));
            }
            content.put(section, values);
            if (random.nextInt(10) == 0) {
                content.put(noise.text(), noise.text());
            }
            String text = noise.json(content);
            Files.writeString(file, text.replace("\ud800", "?").replace("\udc00", "?"));
            try {
                Config.of(ConfigFile.read(file));
            } catch (ConfigException _) {
                // that is what it is for
            } catch (RuntimeException e) {
                wrong.add(e + ": " + text);
            }
        }
        report("config", INPUTS);
    }

    /** An error is one of data, or of our own making; never one of the server's inside. */
    @Test
    void sql_functions() throws SQLException {
        Noise noise = noise("sql");
        Random random = new Random(SEED);
        String address = TestPostgres.freshDatabase();
        List<String> calls = List.of(
                "SELECT * FROM claim_task_for_finalization(?, ?)",
                "SELECT * FROM release_finalization_claim(?, ?)",
                "SELECT task_execution_status(?) || coalesce(?, '')",
                "SELECT task_is_due(?)::text || coalesce(?, '')");
        try (Connection connection = DriverManager.getConnection(address)) {
            for (int i = 0; i < INPUTS; i++) {
                String call = calls.get(random.nextInt(calls.size()));
                String first = noise.text();
                String second = random.nextInt(10) == 0 ? null : noise.text();
                try (PreparedStatement statement = connection.prepareStatement(call)) {
                    statement.setString(1, random.nextInt(20) == 0 ? null : first);
                    statement.setString(2, second);
                    statement.executeQuery().close();
                } catch (SQLException e) {
                    String state = String.valueOf(e.getSQLState());
                    if (!state.startsWith("22") && !state.startsWith("P0")) {
                        wrong.add(state + " " + e.getMessage() + ": " + call + " " + first + ", " + second);
                    }
                }
            }
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT count(*) FROM tasks")) {
                row.next();
                assertThat(row.getLong(1)).isZero();
            }
        }
        report("SQL functions", INPUTS);
    }
}
