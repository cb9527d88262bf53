package dev.holdfast.broker.race;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a database tells of a race that is over, and whether that hangs together. */
final class RaceHistory {
    private static final Set<String> GRANTS = Set.of("claimed", "taken_over");
    private static final Set<String> ENDS = Set.of("released", "task_finished", "reclaimed");

    /** A line of the log of events. */
    record Event(
            long id,
            String type,
            String resource,
            @Nullable String actor,
            @Nullable Long generation) {}

    /** A line of the log of attempts. */
    record Attempt(
            String taskId,
            String processor,
            String operation,
            String outcome,
            @Nullable Long generation,
            double seconds) {}

    private final List<Event> events;
    private final List<Attempt> attempts;
    private final Map<String, String> states;
    private final List<String> outbox;
    private final Map<String, String> unclear;
    private final List<String> broken = new ArrayList<>();

    private RaceHistory(
            List<Event> events,
            List<Attempt> attempts,
            Map<String, String> states,
            List<String> outbox,
            Map<String, String> unclear) {
        this.events = events;
        this.attempts = attempts;
        this.states = states;
        this.outbox = outbox;
        this.unclear = unclear;
    }

    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** @param database a JDBC address */
    static RaceHistory of(String database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database)) {
            return new RaceHistory(
                    list(
                            connection,
                            "SELECT id, type, resource, actor, generation FROM events ORDER BY id",
                            row -> new Event(
                                    row.getLong(1),
                                    row.getString(2),
                                    row.getString(3),
                                    row.getString(4),
                                    number(row, 5))),
                    list(
                            connection,
                            "SELECT task_id, processor_id, operation, outcome, claim_generation, seconds"
                                    + " FROM finalization_attempts ORDER BY id",
                            row -> new Attempt(
                                    row.getString(1),
                                    row.getString(2),
                                    row.getString(3),
                                    row.getString(4),
                                    number(row, 5),
                                    row.getDouble(6))),
                    byId(connection, "SELECT id, state FROM tasks"),
                    list(connection, "SELECT task_id FROM outbox", row -> row.getString(1)),
                    byId(connection, """
                            SELECT t.id, 'waiting ' || c.waiting || ', active ' || c.active || ', finalization ' || r.state
                                || ' by ' || coalesce(r.holder, 'nobody')
                            FROM tasks t JOIN task_counters c ON c.task_id = t.id
                            JOIN resources r ON r.key = 'finalization:' || t.id
                            WHERE c.waiting <> 0 OR c.active <> 0 OR r.state <> 'done' OR r.holder IS NOT NULL
                                OR t.finished_at IS NULL OR EXISTS (SELECT 1 FROM steps s JOIN resources x
                                    ON x.key = 'step:' || s.id WHERE s.task_id = t.id
                                    AND (s.state <> 'succeeded' OR x.state <> 'done'))
                            """));
        }
    }

    /** How many tasks have not ended yet. */
    static long openTasks(String database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database)) {
            return list(connection, "SELECT count(*) FROM tasks WHERE state = 'open'", row -> row.getLong(1))
                    .getFirst();
        }
    }

    private static @Nullable Long number(ResultSet row, int column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? null : Long.valueOf(number);
    }

    private static <T> List<T> list(Connection connection, String query, Reader<T> reader) throws SQLException {
        List<T> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                rows.add(reader.read(row));
            }
        }
        return rows;
    }

    private static Map<String, String> byId(Connection connection, String query) throws SQLException {
        return list(connection, query, row -> Map.entry(row.getString(1), row.getString(2))).stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    List<Event> events() {
        return events;
    }

    long attempts(String operation, String outcome) {
        return attempts.stream()
                .filter(attempt -> attempt.operation.equals(operation) && attempt.outcome.equals(outcome))
                .count();
    }

    /** Milliseconds in the database that so large a part of the claims did not exceed. */
    double claimMillis(double part) {
        double[] sorted = attempts.stream()
                .filter(attempt -> attempt.operation.equals("claim"))
                .mapToDouble(Attempt::seconds)
                .sorted()
                .toArray();
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, sorted.length * part)] * 1_000;
    }

    /** Who completed the last step, by task. */
    Map<String, String> lastHolders() {
        Map<String, String> last = new HashMap<>();
        for (Event event : events) {
            if (event.type.equals("step_succeeded") && event.actor != null) {
                last.put(taskOf(event.resource), event.actor);
            }
        }
        return last;
    }

    /** What is wrong; nothing, if every one of so many tasks with so many steps was ended exactly once. */
    List<String> broken(int tasks, int steps, RaceLog log) {
        expect(states.size() == tasks, "there are " + states.size() + " tasks");
        unclear.forEach((id, how) -> expect(false, "task " + id + " is in an unclear state: " + how));
        states.forEach((id, state) -> expect(state.equals("complete"), "task " + id + " is " + state));
        expect(new HashSet<>(outbox).equals(states.keySet()) && outbox.size() == tasks, "outbox: " + outbox.size());
        Map<String, Event> ends = ends();
        completions(ends, steps);
        grants();
        attemptsAgree(ends);
        processorsAgree(ends, steps, log);
        return broken;
    }

    private void expect(boolean holds, String otherwise) {
        if (!holds) {
            broken.add(otherwise);
        }
    }

    /** The one end of each task. */
    private Map<String, Event> ends() {
        Map<String, Event> ends = new HashMap<>();
        for (Event event : events) {
            if (event.type.equals("task_finished")) {
                Event before = ends.put(event.resource.substring("finalization:".length()), event);
                expect(before == null, "ended twice: " + before + " and " + event);
            }
        }
        expect(ends.keySet().equals(states.keySet()), ends.size() + " tasks have an event of their end");
        return ends;
    }

    /** Every step is completed once, by whom it was given to, and before its task ends. */
    private void completions(Map<String, Event> ends, int steps) {
        Map<String, Event> done = new HashMap<>();
        Map<String, Event> grants = new HashMap<>();
        for (Event event : events) {
            if (event.resource.startsWith("step:") && GRANTS.contains(event.type)) {
                grants.put(event.resource, event);
            } else if (event.type.equals("step_succeeded")) {
                Event before = done.put(event.resource, event);
                expect(before == null, "completed twice: " + before + " and " + event);
                Event grant = grants.get(event.resource);
                expect(
                        grant != null
                                && Objects.equals(grant.actor, event.actor)
                                && Objects.equals(grant.generation, event.generation),
                        "completed by another than its holder: " + event + ", held by " + grant);
                Event end = ends.get(taskOf(event.resource));
                expect(end != null && event.id < end.id, "completed after the end of its task: " + event);
            }
        }
        expect(done.size() == states.size() * steps, done.size() + " steps have an event of their completion");
    }

    private static String taskOf(String step) {
        return step.substring("step:".length(), step.lastIndexOf('.'));
    }

    /** Per finalization: generations rise, one holder at a time, nothing after the end. */
    private void grants() {
        Map<String, Long> last = new HashMap<>();
        Map<String, Event> held = new HashMap<>();
        for (Event event : events) {
            if (!event.resource.startsWith("finalization:")) {
                continue;
            }
            Event holder = held.get(event.resource);
            Long generation = event.generation;
            if (GRANTS.contains(event.type) && generation != null) {
                Long before = last.put(event.resource, generation);
                expect(before == null || before < generation, "generations do not rise: " + event);
                expect(
                        holder == null || event.type.equals("taken_over"),
                        "granted while another had it: " + holder + " and " + event);
                held.put(event.resource, event);
            } else if (ENDS.contains(event.type)) {
                expect(holder != null, "ended by whom it was not given to: " + event);
                if (holder != null && !event.type.equals("reclaimed")) {
                    expect(
                            Objects.equals(holder.actor, event.actor)
                                    && Objects.equals(holder.generation, event.generation),
                            "ended by another than its holder: " + event + ", held by " + holder);
                }
                held.remove(event.resource);
            }
        }
    }

    /** The log of attempts has one end for each task, the same as the events; and each grant only once. */
    private void attemptsAgree(Map<String, Event> ends) {
        Set<String> finished = new HashSet<>();
        Set<String> granted = new HashSet<>();
        Set<String> grants = events.stream()
                .filter(event -> event.resource.startsWith("finalization:") && GRANTS.contains(event.type))
                .map(event ->
                        event.resource.substring("finalization:".length()) + " " + event.actor + " " + event.generation)
                .collect(Collectors.toSet());
        for (Attempt attempt : attempts) {
            String grant = attempt.taskId + " " + attempt.processor + " " + attempt.generation;
            switch (attempt.outcome) {
                case "finished" -> {
                    Event end = ends.get(attempt.taskId);
                    expect(finished.add(attempt.taskId), "two attempts ended " + attempt.taskId);
                    expect(
                            end != null
                                    && attempt.processor.equals(end.actor)
                                    && Objects.equals(attempt.generation, end.generation),
                            "the attempt and the event differ: " + attempt + " and " + end);
                }
                case "granted" -> {
                    expect(granted.add(grant), "granted twice: " + attempt);
                    expect(grants.contains(grant), "granted without an event: " + attempt);
                }
                case "extended" -> expect(grants.contains(grant), "extended what was not granted: " + attempt);
                default -> {}
            }
        }
        expect(finished.equals(ends.keySet()), finished.size() + " tasks have an attempt that ended them");
    }

    /** Who was told that it ended a task is the one who did, and had seen all results; nobody saw anything odd. */
    private void processorsAgree(Map<String, Event> ends, int steps, RaceLog log) {
        expect(log.other().isEmpty(), "processors said: " + log.other());
        for (RaceLog.Finish finish : log.finishes()) {
            Event end = ends.get(finish.taskId());
            if (finish.finished()) {
                expect(
                        end != null
                                && finish.processor().equals(end.actor)
                                && Objects.equals(finish.generation(), end.generation),
                        "told that it ended the task, which it did not: " + finish + ", but " + end);
                expect(finish.seen() == steps, "ended without having seen all results: " + finish);
            }
        }
        Set<String> completed = events.stream()
                .filter(event -> event.type.equals("step_succeeded"))
                .map(event -> event.resource.substring("step:".length()))
                .collect(Collectors.toSet());
        log.steps().forEach(step -> expect(completed.contains(step), "a completion was lost: " + step));
    }
}
