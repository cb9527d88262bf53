package dev.holdfast.review.record;

import dev.holdfast.agent.Caller;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The SQL of {@code proposers}: one row per round, for rounds since proposers are recorded. */
public final class ProposerTable {
    private static final Sql ADD = Sql.of("""
            INSERT INTO proposers (review_id, round, agent, known_by, engine, kin, process, at)
            VALUES (:review_id, :round, :agent, :known_by, :engine, :kin, :process, :now)
            """);

    private static final Sql ALL = Sql.of("SELECT * FROM proposers WHERE review_id = :review_id ORDER BY round");

    private ProposerTable() {}

    public static void add(Transaction transaction, String id, Proposer proposer, @Nullable String process, long now)
            throws SQLException {
        transaction.change(
                ADD,
                p -> p.text("review_id", id)
                        .number("round", proposer.round())
                        .text("agent", proposer.agent())
                        .text("known_by", proposer.known().toString())
                        .text("engine", proposer.engine())
                        .text("kin", JsonMapper.shared().writeValueAsString(proposer.kin()))
                        .text("process", process)
                        .time("now", now));
    }

    /** Of all rounds, in order. */
    public static List<Proposer> all(Transaction transaction, String id) throws SQLException {
        return ask(transaction, id).get();
    }

    public static Pending<List<Proposer>> ask(Transaction transaction, String id) throws SQLException {
        return transaction.ask(ALL, p -> p.text("review_id", id), ProposerTable::read);
    }

    /** The current round's proposer, from {@link ReviewTable#VIEW}; null if it was not recorded. */
    static @Nullable Proposer shown(Row row) throws SQLException {
        String known = row.textOrNull("proposer_known_by");
        return known == null
                ? null
                : new Proposer(
                        (int) row.number("round"),
                        row.textOrNull("proposer"),
                        Caller.Known.of(known),
                        row.textOrNull("proposer_engine"),
                        kin(row.text("proposer_kin")));
    }

    private static Proposer read(Row row) throws SQLException {
        return new Proposer(
                (int) row.number("round"),
                row.textOrNull("agent"),
                Caller.Known.of(row.text("known_by")),
                row.textOrNull("engine"),
                kin(row.text("kin")));
    }

    private static Set<String> kin(String json) {
        return json.equals("[]") ? Set.of() : JsonMapper.shared().readValue(json, new TypeReference<Set<String>>() {});
    }
}
