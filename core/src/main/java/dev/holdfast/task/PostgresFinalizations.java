package dev.holdfast.task;

import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Text;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Calls the SQL functions, as any other processor would. */
record PostgresFinalizations(Store store, Claims claims) implements Finalizations {
    private static final Sql CLAIM =
            Sql.of("SELECT * FROM claim_task_for_finalization(:task, :processor, CAST(:timeout AS int), :generation)");
    private static final Sql RELEASE =
            Sql.of("SELECT release_finalization_claim(:task, :processor, :generation, :handled_seq) AS released");
    private static final Sql FINISH =
            Sql.of("SELECT * FROM finish_task(:task, :processor, :generation, :handled_seq, :outcome)");

    @Override
    public Claimed claim(String taskId, String processor, @Nullable Duration timeout, @Nullable Long generation) {
        Text.holder(processor);
        long seconds = claims.leases().micros(Kind.FINALIZATION, timeout) / 1_000_000;
        return call(
                CLAIM,
                p -> p.text("task", taskId)
                        .text("processor", processor)
                        .number("timeout", seconds)
                        .number("generation", generation),
                row -> new Claimed(
                        FinalizationAnswer.of(row.text("outcome")),
                        row.textOrNull("already_claimed_by"),
                        row.text("task_state"),
                        row.text("message"),
                        row.numberOrNull("claim_generation"),
                        row.numberOrNull("requested_seq")));
    }

    @Override
    public boolean release(String taskId, String processor, @Nullable Long generation, @Nullable Long handledSeq) {
        return call(
                RELEASE,
                p -> p.text("task", taskId)
                        .text("processor", processor)
                        .number("generation", generation)
                        .number("handled_seq", handledSeq),
                row -> row.flag("released"));
    }

    @Override
    public Finished finish(
            String taskId, String processor, long generation, @Nullable Long handledSeq, @Nullable TaskState outcome) {
        return call(
                FINISH,
                p -> p.text("task", taskId)
                        .text("processor", processor)
                        .number("generation", generation)
                        .number("handled_seq", handledSeq)
                        .text("outcome", outcome == null ? null : outcome.toString()),
                row -> new Finished(
                        FinalizationAnswer.of(row.text("outcome")),
                        row.text("task_state"),
                        row.numberOrNull("requested_seq"),
                        row.text("message")));
    }

    /** The functions always return one row. Their events have no origin of ours, so tell the tail to look. */
    private <T> T call(Sql function, Transaction.Binder arguments, Transaction.Reader<T> answer) {
        return store.write(transaction -> {
            transaction.afterCommit(claims.tail()::changed);
            return transaction.first(function, arguments, answer).orElseThrow();
        });
    }
}
