package dev.holdfast.broker.team;

import dev.holdfast.broker.team.ChaosBook.Kept;
import dev.holdfast.claim.HistoryCheck;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks what the database says in the end against what agents were told, and against what must always be true. */
final class ChaosJudge {
    private static final Set<String> GRANTS = Set.of("claimed", "taken_over");

    /** Each ends the grant whose generation it names. */
    private static final Set<String> BY_ITS_HOLDER = Set.of(
            "released", "completed", "failed", "work_closed", "step_succeeded", "task_finished", "verdict_submitted");

    private static final Set<String> BY_ANYBODY = Set.of(
            "reclaimed",
            "parked",
            "step_failed",
            "step_failed_attempt",
            "review_released",
            "review_reclaimed",
            "review_closed");

    private final Connection database;
    private final ChaosBook book;
    private final List<String> broken = new ArrayList<>();

    private record Event(
            Instant at,
            String type,
            String resource,
            @Nullable String actor,
            @Nullable Long generation) {}

    private ChaosJudge(Connection database, ChaosBook book) {
        this.database = database;
        this.book = book;
    }

    /** Everything that is wrong. */
    static List<String> broken(String address, ChaosBook book) throws SQLException {
        try (Connection database = DriverManager.getConnection(address)) {
            return new ChaosJudge(database, book).judge();
        }
    }

    /** How much is not finished yet. */
    static long unfinished(String address) throws SQLException {
        try (Connection database = DriverManager.getConnection(address);
                Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery("SELECT (SELECT count(*) FROM tasks WHERE state = 'open')"
                        + " + (SELECT count(*) FROM work_items WHERE status <> 'closed')")) {
            row.next();
            return row.getLong(1);
        }
    }

    private List<String> judge() throws SQLException {
        broken.addAll(book.odd());
        List<Event> events = events();
        broken.addAll(HistoryCheck.brokenByEvents(
                List.copyOf(book.keys()),
                events.stream()
                        .filter(event -> event.resource.startsWith("key:"))
                        .map(event ->
                                HistoryCheck.event(event.at, event.type, event.resource, event.actor, event.generation))
                        .toList()));
        oneHolderAtATime(events);
        Set<String> grants = events.stream()
                .filter(event -> GRANTS.contains(event.type))
                .map(event -> event.resource + " " + event.actor + " " + event.generation)
                .collect(Collectors.toSet());
        kept(Kept.GRANT, grants);
        kept(Kept.WORK_CREATED, column("SELECT id FROM work_items"));
        kept(Kept.WORK_CLOSED, column("SELECT id FROM work_items WHERE status = 'closed'"));
        kept(Kept.TASK_CREATED, column("SELECT id FROM tasks"));
        kept(Kept.TASK_FINISHED, column("SELECT id FROM tasks WHERE state = 'complete'"));
        kept(
                Kept.STEP_COMPLETED,
                column("SELECT substr(resource, 6) || ' ' || generation FROM events WHERE type = 'step_succeeded'"));
        kept(Kept.REVIEW_CREATED, column("SELECT id FROM reviews"));
        kept(Kept.VERDICT, column("SELECT review_id || ' ' || generation FROM verdicts"));
        kept(Kept.MESSAGE, column("SELECT review_id FROM messages"));
        none(
                "ended twice",
                "SELECT resource FROM events WHERE type IN ('task_finished', 'step_succeeded')"
                        + " GROUP BY resource HAVING count(*) > 1");
        none(
                "closed twice",
                "SELECT resource FROM events WHERE type = 'work_closed'" + " GROUP BY resource HAVING count(*) > 1");
        none(
                "judged twice under one claim",
                "SELECT review_id || ' ' || generation FROM verdicts"
                        + " WHERE verdict <> 'comment' GROUP BY review_id, generation HAVING count(*) > 1");
        none("made twice", "SELECT idempotency_key FROM tasks GROUP BY idempotency_key HAVING count(*) > 1");
        none(
                "a task that ended before its steps",
                "SELECT t.id FROM tasks t JOIN steps s ON s.task_id = t.id"
                        + " WHERE t.state = 'complete' AND s.state <> 'succeeded'");
        none(
                "counted wrongly",
                "SELECT c.task_id FROM task_counters c WHERE c.succeeded <> (SELECT count(*) FROM steps s"
                        + " WHERE s.task_id = c.task_id AND s.state = 'succeeded')");
        return broken;
    }

    private void oneHolderAtATime(List<Event> events) {
        Map<String, Long> highest = new HashMap<>();
        Map<String, Event> held = new HashMap<>();
        for (Event event : events) {
            if (event.resource.startsWith("key:") || event.generation == null) {
                continue; // keys are checked more strictly, above
            }
            if (GRANTS.contains(event.type)) {
                Long before = highest.put(event.resource, event.generation);
                if (before != null && before >= event.generation) {
                    broken.add(event + ": generation after " + before);
                }
                Event holder = held.put(event.resource, event);
                if (holder != null && event.type.equals("claimed")) {
                    broken.add(event + ": granted while it was held by " + holder);
                }
            } else if (BY_ITS_HOLDER.contains(event.type)) {
                Event holder = held.remove(event.resource);
                if (holder != null && !Objects.equals(holder.generation, event.generation)) {
                    broken.add(event + ": ended by another than " + holder);
                }
            } else if (BY_ANYBODY.contains(event.type)) {
                held.remove(event.resource);
            }
        }
    }

    private void kept(Kept what, Set<String> there) {
        book.acknowledged(what).stream()
                .filter(name -> !there.contains(name))
                .forEach(name -> broken.add("lost: " + what + " " + name));
    }

    private void none(String what, String query) throws SQLException {
        column(query).forEach(name -> broken.add(what + ": " + name));
    }

    private Set<String> column(String query) throws SQLException {
        return new HashSet<>(list(query, row -> {
            try {
                return String.valueOf(row.getString(1));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }));
    }

    private List<Event> events() throws SQLException {
        return list("SELECT at, type, resource, actor, generation FROM events ORDER BY id", row -> {
            try {
                long generation = row.getLong(5);
                return new Event(
                        row.getTimestamp(1).toInstant(),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        generation == 0 ? null : Long.valueOf(generation));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private <T> List<T> list(String query, Function<ResultSet, T> reader) throws SQLException {
        List<T> rows = new ArrayList<>();
        try (Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                rows.add(reader.apply(row));
            }
        }
        return rows;
    }
}
