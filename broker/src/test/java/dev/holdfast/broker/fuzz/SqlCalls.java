package dev.holdfast.broker.fuzz;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The SQL functions for processors, called with what they expect and with anything else, on tasks in every state. */
final class SqlCalls implements AutoCloseable {
    private static final int TASKS = 40;
    private static final List<String> CALLS = List.of(
            "SELECT claimed, outcome FROM claim_task_for_finalization(?, ?, ?::int, ?::bigint)",
            "SELECT claimed, outcome FROM claim_task_for_finalization(?::uuid, ?, ?::int, ?::bigint)",
            "SELECT released, '' FROM release_finalization_claim(?, ?, ?::bigint, ?::bigint) AS released",
            "SELECT finished, outcome FROM finish_task(?, ?, ?::bigint, ?::bigint)",
            "SELECT finished, outcome FROM finish_task(?, ?, ?::bigint, NULL, ?)",
            "SELECT task_is_due(?), task_execution_status(?) || ? || ?");

    /** Of the tables, an answer that grants nothing may only add to the log, or note that the task is looked at again. */
    private static final Set<String> NOTED = Set.of("INSERT finalization_attempts", "UPDATE tasks");

    private final Connection connection;
    private final WriteWatch watch;
    private final List<String> tasks;

    SqlCalls(Path folder) throws SQLException {
        String address = TestPostgres.freshDatabase();
        try (Broker broker = Broker.start(Config.in(
                        folder, new Settings().put(Setting.DATABASE, address).put(Setting.DATA, folder.toString())));
                BrokerClient caller = new BrokerClient(broker)) {
            tasks = java.util.stream.IntStream.range(0, TASKS)
                    .mapToObj(number -> task(caller, number))
                    .toList();
        }
        watch = new WriteWatch(address);
        connection = DriverManager.getConnection(address);
    }

    /** Some have steps that nobody has begun, some can end, some have ended. */
    private static String task(BrokerClient caller, int number) {
        String policy = List.of("all_succeeded", "all_settled", "fail_fast").get(number % 3);
        String task = caller.call(
                        "create_task",
                        "name",
                        "n" + number,
                        "policy",
                        policy,
                        "finalizer",
                        "external",
                        "steps",
                        List.of(Map.of("key", "one"), Map.of("key", "two")))
                .text("task_id");
        for (String step :
                number % 4 == 0 ? List.<String>of() : number % 4 == 1 ? List.of("one") : List.of("one", "two")) {
            BrokerClient.Reply claim = caller.call("claim_step", "step_id", task + "." + step, "holder", "w");
            caller.call(
                    number % 5 == 0 ? "fail_step" : "complete_step",
                    number % 5 == 0
                            ? new Object[] {
                                "step_id",
                                task + "." + step,
                                "holder",
                                "w",
                                "claim_generation",
                                claim.generation(),
                                "error",
                                "x",
                                "retry",
                                false
                            }
                            : new Object[] {
                                "step_id", task + "." + step, "holder", "w", "claim_generation", claim.generation()
                            });
        }
        return task;
    }

    void round(int round, int inputs, Noise noise, Rounds rounds) throws SQLException {
        List<PreparedStatement> statements = new java.util.ArrayList<>();
        for (String call : CALLS) {
            statements.add(connection.prepareStatement(call));
        }
        watch.written();
        for (int i = 0; i < inputs && !rounds.enoughIsWrong(); i++) {
            int which = noise.random().nextInt(CALLS.size());
            List<@Nullable Object> given = new java.util.ArrayList<>();
            given.add(noise.oneIn(8) ? noise.text() : noise.oneOf(tasks));
            given.add(noise.oneIn(6) ? noise.text() : "p" + noise.random().nextInt(3));
            given.add(number(noise));
            given.add(which == 4 ? noise.oneOf(List.of("complete", "failed", noise.text())) : number(noise));
            call(round, statements.get(which), CALLS.get(which), given, noise, rounds);
        }
        rounds.done(inputs);
    }

    private static @Nullable Object number(Noise noise) {
        return switch (noise.random().nextInt(4)) {
            case 0 -> null;
            case 1 -> noise.random().nextInt(4);
            case 2 -> noise.random().nextInt(1, 60);
            default ->
                noise.oneOf(List.of(
                        "-1",
                        "86400",
                        "86401",
                        "2147483648",
                        "9223372036854775807",
                        "9223372036854775808",
                        "x",
                        "1.5",
                        ""));
        };
    }

    private void call(
            int round,
            PreparedStatement statement,
            String call,
            List<@Nullable Object> given,
            Noise noise,
            Rounds rounds)
            throws SQLException {
        boolean nothing = noise.oneIn(30);
        for (int i = 0; i < given.size(); i++) {
            Object value = nothing && i < 2 ? null : given.get(i);
            if (value == null) {
                statement.setNull(i + 1, Types.VARCHAR);
            } else {
                statement.setString(i + 1, value.toString());
            }
        }
        String input = call + " " + given;
        long sent = System.nanoTime();
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            rounds.kind(row.getBoolean(1) ? "granted" : "not granted");
            List<String> written = watch.written();
            if (!row.getBoolean(1) && !NOTED.containsAll(written)) {
                rounds.wrong(round, "not granted, and yet " + written, input);
            }
            if (call.contains("task_is_due") && !written.isEmpty()) {
                rounds.wrong(round, "only asked, and yet " + written, input);
            }
        } catch (SQLException e) {
            String state = String.valueOf(e.getSQLState());
            rounds.kind("refused " + state.substring(0, 2));
            // wrong data, or of our own making; never one of the server's inside
            if (!state.startsWith("22") && !state.startsWith("P0")) {
                rounds.wrong(round, state + " " + e.getMessage(), input);
            }
            if (!watch.written().isEmpty()) {
                rounds.wrong(round, "refused, and yet written", input);
            }
        }
        rounds.took(round, System.nanoTime() - sent, input);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        watch.close();
    }
}
