package dev.holdfast.bench;

import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Resource;
import dev.holdfast.store.Engine;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Store;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Calls and pages of brokers whose stores differ only in their finished rows. */
final class FullStores {
    private static final String OF = "rows of finished things in the store";
    private static final String CLAIMS = "claims";
    private static final String WORK = "work-lists";
    private static final String OTHERS = "other-reads";
    private static final String PAGES = "pages";
    private static final int EXPIRED = 100;

    /** The amount of open work, the same at every size. */
    private static final int OPEN_WORK = 100;

    private static final int OPEN_REVIEWS = 30;
    private static final int OPEN_TASKS = 30;
    private static final int PAGE = 20;

    private FullStores() {}

    static List<Curve> measure(Lab lab, Engine engine, List<Integer> sizes, PrintStream progress) throws Exception {
        Map<Integer, String> places = new TreeMap<>();
        try {
            for (int size : sizes) {
                String place = lab.place(engine);
                long start = System.nanoTime();
                History.write(place, size);
                Growth.tell(progress, "%,d rows of finished things".formatted(size), start);
                places.put(size, place);
            }
            long start = System.nanoTime();
            List<Curve> curves = new ArrayList<>(calls(lab, engine, sizes, places));
            Growth.tell(progress, "calls and pages", start);
            curves.addAll(sweeps(engine, sizes, places));
            return curves;
        } finally {
            for (String place : places.values()) {
                lab.remove(engine, place);
            }
        }
    }

    private static List<Curve> calls(Lab lab, Engine engine, List<Integer> sizes, Map<Integer, String> places)
            throws Exception {
        Map<Integer, BrokerCalls> brokers = new TreeMap<>();
        Map<Integer, String> far = new TreeMap<>();
        try {
            for (int size : sizes) {
                BrokerCalls broker = BrokerCalls.start(lab, engine, at(places, size));
                brokers.put(size, broker);
                fill(broker);
                far.put(size, farInto(broker, size));
            }
            return Growth.turns(
                    Growth.words(engine),
                    OF,
                    sizes,
                    (size, turn, timed) -> turn(at(brokers, size), at(far, size), turn, timed));
        } finally {
            for (BrokerCalls broker : brokers.values()) {
                broker.close();
            }
        }
    }

    private static void fill(BrokerCalls broker) throws Exception {
        for (int i = 0; i < OPEN_WORK; i++) {
            broker.post("create_work", "{'title': 'To do " + i + "', 'queue': 'p" + i % 20 + "'}");
        }
        for (int i = 0; i < OPEN_REVIEWS; i++) {
            broker.post(
                    "create_review",
                    "{'intent': 'Change " + i + "', 'project': 'p" + i % 20
                            + "', 'diff': '--- a/x\\n+++ b/x\\n@@ -1 +1 @@\\n-a\\n+" + i
                            + "\\n', 'skip_diff_validation': true, 'agent_type': 'claude'}");
        }
        for (int i = 0; i < OPEN_TASKS; i++) {
            broker.post("create_task", "{'name': 'open " + i + "', 'steps': [{'key': 's0'}]}");
        }
    }

    private static void turn(BrokerCalls broker, String far, int turn, Growth.Timed timed) throws Exception {
        broker.reconnect();
        String named = broker.post("create_work", "{'title': 'One more', 'queue': 'p1'}")
                .at("/item/id")
                .asString();
        String next = timed.call(CLAIMS, "claim next", () -> broker.post("claim_next_work", "{'holder': 'ann'}"))
                .at("/item/id")
                .asString();
        timed.call(
                CLAIMS,
                "heartbeat",
                () -> broker.post(
                        "heartbeat", "{'holder': 'ann', 'resource': 'work:" + next + "', 'claim_generation': 1}"));
        timed.call(
                CLAIMS,
                "complete",
                () -> broker.post("close_work", "{'id': '" + next + "', 'holder': 'ann', 'claim_generation': 1}"));
        timed.call(
                CLAIMS, "claim by name", () -> broker.post("claim_work", "{'id': '" + named + "', 'holder': 'ann'}"));
        broker.post("release", "{'resource': 'work:" + named + "', 'holder': 'ann', 'claim_generation': 1}");

        timed.call(WORK, "list_work", () -> page(broker, "list_work", PAGE, ""));
        timed.call(WORK, "list_work, far page", () -> page(broker, "list_work", PAGE, far));
        String second = timed.call(WORK, "ready_work", () -> page(broker, "ready_work", PAGE, ""));
        timed.call(WORK, "ready_work, second page", () -> page(broker, "ready_work", PAGE, second));
        timed.call(OTHERS, "list_reviews", () -> broker.post("list_reviews", "{'limit': " + PAGE + "}"));
        timed.call(OTHERS, "list_tasks", () -> broker.post("list_tasks", "{'limit': " + PAGE + "}"));
        timed.call(
                OTHERS,
                "get_proposal",
                () -> broker.post("get_proposal", "{'review_id': '" + History.id(turn + 1) + "'}"));
        timed.call(
                OTHERS,
                "get_events",
                () -> broker.post("get_events", "{'after': " + turn * 10 + ", 'limit': " + PAGE + "}"));

        timed.call(PAGES, "Overview", () -> broker.get("/"));
        timed.call(PAGES, "Reviews", () -> broker.get("/reviews"));
        timed.call(PAGES, "Work", () -> broker.get("/work"));
        timed.call(PAGES, "Tasks", () -> broker.get("/tasks"));
        timed.call(PAGES, "Events", () -> broker.get("/events"));
    }

    /** The cursor after this page. */
    private static String page(BrokerCalls broker, String verb, int limit, String cursor) throws Exception {
        String from = cursor.isEmpty() ? "" : ", 'cursor': '" + cursor + "'";
        return broker.post(verb, "{'limit': " + limit + from + "}")
                .path("next_cursor")
                .asString("");
    }

    /** Half-way into the finished work. */
    private static String farInto(BrokerCalls broker, int size) throws Exception {
        int limit = Math.clamp(size / 28, 1, 1_000); // two of 28 rows are items
        String cursor = "";
        for (int done = 0; done < size / 28; done += limit) {
            cursor = page(broker, "list_work", limit, cursor);
        }
        return cursor;
    }

    /** In process, because a broker sweeps whenever it likes. */
    private static List<Curve> sweeps(Engine engine, List<Integer> sizes, Map<Integer, String> places)
            throws Exception {
        Map<Integer, Store> stores = new TreeMap<>();
        Map<Integer, Claims> claims = new TreeMap<>();
        try {
            for (int size : sizes) {
                String place = at(places, size);
                Store store = engine == Engine.POSTGRES ? PostgresStore.open(place) : SqliteStore.open(Path.of(place));
                stores.put(size, store);
                claims.put(size, Claims.over(store));
            }
            return Growth.turns(Growth.words(engine), OF, sizes, (size, _, timed) -> {
                Claims here = at(claims, size);
                here.claimAll(IntStream.range(0, EXPIRED)
                        .mapToObj(i -> ClaimRequest.of(Resource.key("k" + i), "gone"))
                        .toList());
                expire(engine, at(places, size));
                int swept = timed.call("sweep", "sweep of 100 expired claims", () -> here.sweep(500))
                        .size();
                if (swept != EXPIRED) {
                    throw new IllegalStateException(swept + " claims were swept, not " + EXPIRED);
                }
            });
        } finally {
            claims.values().forEach(Claims::close);
            stores.values().forEach(Store::close);
        }
    }

    private static <T> T at(Map<Integer, T> bySize, int size) {
        return Objects.requireNonNull(bySize.get(size));
    }

    private static void expire(Engine engine, String place) throws Exception {
        try (Connection connection = engine == Engine.POSTGRES
                        ? DriverManager.getConnection(place)
                        : DurableSqlite.open(Path.of(place).resolve("holdfast.db"));
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "UPDATE resources SET expires_at = " + (engine == Engine.POSTGRES ? "to_timestamp(1)" : "1")
                            + " WHERE state = 'held' AND holder = 'gone'");
        }
    }
}
