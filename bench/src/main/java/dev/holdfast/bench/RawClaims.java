package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import java.util.List;
import java.util.Map;

/**
 * What PostgreSQL itself can do: bare claims on a narrow table over one connection, no events, no completions, nothing
 * in between.
 */
record RawClaims(Lab lab) {
    private static final int BATCH = 100;

    /** Claims of 100 rows each; rows per second. */
    Outcome batches() throws Exception {
        RawLoad.Rate rate = run(claim(BATCH), 150_000);
        return Figure.of(rate.perSecond() * BATCH);
    }

    /** Claims of one row each; the median time of one, in microseconds. */
    Outcome oneRow() throws Exception {
        RawLoad.Rate rate = run(claim(1), 10_000);
        return new Figure(rate.p50Micros(), Map.of("claims per second", rate.perSecond()), List.of());
    }

    private RawLoad.Rate run(String statement, int perSecond) throws Exception {
        String url = lab.server().newDatabase();
        PostgresServer.execute(
                url,
                """
                CREATE TABLE work (
                    id          bigint      PRIMARY KEY,
                    state       smallint    NOT NULL DEFAULT 0,
                    priority    smallint    NOT NULL DEFAULT 2,
                    holder      text,
                    generation  bigint      NOT NULL DEFAULT 0,
                    expires_at  timestamptz,
                    renewed_at  timestamptz,
                    payload     text        NOT NULL
                ) WITH (fillfactor = 70)""",
                "CREATE INDEX work_ready ON work (priority, id) WHERE state = 0",
                "INSERT INTO work (id, payload) SELECT i, repeat('p', 100) FROM generate_series(1, "
                        + lab.rowsFor(perSecond) + ") AS i",
                "VACUUM ANALYZE work",
                "CHECKPOINT");
        lab.rawLoad().run(url, statement, 1, 1); // warm-up
        RawLoad.Rate rate =
                lab.rawLoad().run(url, statement, 1, (int) lab.measured().toSeconds());
        if (PostgresServer.value(url, "SELECT count(*) FROM work WHERE state = 0")
                .equals("0")) {
            throw new IllegalStateException("all rows were claimed before the time was over; give it more");
        }
        lab.server().drop(url);
        return rate;
    }

    private static String claim(int rows) {
        return """
                UPDATE work SET state = 1, holder = 'agent-1', generation = generation + 1, \
                expires_at = now() + interval '45 min', renewed_at = now() \
                WHERE id = ANY (ARRAY(SELECT id FROM work WHERE state = 0 ORDER BY priority, id LIMIT %d \
                FOR UPDATE SKIP LOCKED)) RETURNING id, generation, payload""".formatted(rows);
    }
}
