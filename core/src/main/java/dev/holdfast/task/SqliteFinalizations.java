package dev.holdfast.task;

import static dev.holdfast.task.FinalizationAnswer.EXTENDED;
import static dev.holdfast.task.FinalizationAnswer.FINISHED;
import static dev.holdfast.task.FinalizationAnswer.NOT_OWNED;
import static dev.holdfast.task.FinalizationAnswer.REEVALUATE;
import static dev.holdfast.task.FinalizationAnswer.RELEASED;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.DomainEvent;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.LockedClaim;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Text;
import dev.holdfast.claim.TransactionalClaims;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The same contract as PostgreSQL's functions, for the single process of a SQLite store. */
final class SqliteFinalizations implements Finalizations {
    private final Store store;
    private final Claims claims;
    private final TransactionalClaims transactional;

    SqliteFinalizations(Store store, Claims claims) {
        this.store = store;
        this.claims = claims;
        transactional = claims.transactional();
    }

    private interface Call {
        LockedTask.Outcome on(LockedTask locked, Transaction transaction) throws SQLException;
    }

    private LockedTask.Outcome logged(String operation, String taskId, String processor, Call call) {
        return store.write(transaction -> {
            long began = System.nanoTime();
            LockedTask.Outcome outcome = call.on(LockedTask.of(transaction, transactional, taskId), transaction);
            AttemptTable.add(
                    transaction,
                    new Attempt(
                            0,
                            taskId,
                            processor,
                            operation,
                            outcome.answer().toString(),
                            outcome.answer().granted(),
                            outcome.holder(),
                            outcome.taskState(),
                            outcome.message(),
                            outcome.generation(),
                            outcome.requestedSeq(),
                            (System.nanoTime() - began) / 1e9,
                            null));
            return outcome;
        });
    }

    @Override
    public Claimed claim(String taskId, String processor, @Nullable Duration timeout, @Nullable Long generation) {
        Text.holder(processor);
        claims.leases().micros(Kind.FINALIZATION, timeout);
        LockedTask.Outcome claimed =
                logged(generation == null ? "claim" : "extend", taskId, processor, (locked, transaction) -> {
                    LockedTask.Outcome judged = locked.forClaim(processor, generation);
                    return judged.answer().granted()
                            ? judged.grantedTo(grant(transaction, locked, processor, timeout, judged.answer()))
                            : judged;
                });
        return new Claimed(
                claimed.answer(),
                claimed.holder(),
                claimed.taskState(),
                claimed.message(),
                claimed.generation(),
                claimed.requestedSeq());
    }

    private Claim grant(
            Transaction transaction,
            LockedTask locked,
            String processor,
            @Nullable Duration timeout,
            FinalizationAnswer answer)
            throws SQLException {
        Task task = Objects.requireNonNull(locked.task());
        LockedClaim claimState = Objects.requireNonNull(locked.claimState());
        TaskTable.showSeq(transaction, task.id(), task.counters().requestedSeq());
        ClaimRequest asked = ClaimRequest.of(claimState.resource(), processor)
                .ttl(timeout)
                .generation(answer == EXTENDED ? Long.valueOf(claimState.generation()) : null);
        return switch (transactional.claim(transaction, asked)) {
            case ClaimOutcome.Granted granted -> granted.claim();
            case ClaimOutcome.AlreadyHeld already -> already.claim();
            case ClaimOutcome.Nothing _ -> throw new IllegalStateException("a named claim found nothing");
            case Refusal refusal -> throw RefusedException.of(refusal);
        };
    }

    @Override
    public boolean release(String taskId, String processor, @Nullable Long generation, @Nullable Long handledSeq) {
        return logged("release", taskId, processor, (locked, transaction) -> {
                            LockedClaim claimState = locked.claimState();
                            if (claimState == null || !locked.heldBy(processor, generation)) {
                                return locked.outcome(NOT_OWNED, NOT_OWNED.message(), generation);
                            }
                            Ending ending =
                                    Ending.released(null, locked.nothingNew(handled(transaction, taskId, handledSeq)));
                            end(
                                    transaction,
                                    locked,
                                    processor,
                                    ending,
                                    new DomainEvent("released", processor, Map.of()));
                            return locked.outcome(RELEASED, RELEASED.message(), claimState.generation());
                        })
                        .answer()
                == RELEASED;
    }

    /** The last change that the holder says it has looked at or, by default, has received. */
    private static long handled(Transaction transaction, String taskId, @Nullable Long handledSeq) throws SQLException {
        return handledSeq == null ? TaskTable.shownSeq(transaction, taskId) : handledSeq;
    }

    @Override
    public Finished finish(
            String taskId, String processor, long generation, @Nullable Long handledSeq, @Nullable TaskState outcome) {
        LockedTask.Outcome finished = logged("finish", taskId, processor, (locked, transaction) -> {
            LockedTask.Outcome judged =
                    locked.forFinish(processor, generation, handled(transaction, taskId, handledSeq), outcome);
            if (judged.answer() == REEVALUATE) {
                TaskTable.showSeq(transaction, taskId, Objects.requireNonNull(judged.requestedSeq()));
            } else if (judged.answer() == FINISHED) {
                end(transaction, locked, processor, outcome);
            }
            return judged;
        });
        return new Finished(finished.answer(), finished.taskState(), finished.requestedSeq(), finished.message());
    }

    private void end(Transaction transaction, LockedTask locked, String processor, @Nullable TaskState outcome)
            throws SQLException {
        Task task = Objects.requireNonNull(locked.task());
        TaskState end = locked.end(outcome);
        TaskTable.end(transaction, task.id(), end, null, !task.counters().settled(), transaction.now());
        OutboxTable.add(transaction, task.id(), task.onFinish(), transaction.now());
        end(
                transaction,
                locked,
                processor,
                Ending.completed(end.toString()),
                new DomainEvent("task_finished", processor, Map.of("state", end.toString())));
    }

    private void end(Transaction transaction, LockedTask locked, String processor, Ending ending, DomainEvent event)
            throws SQLException {
        LockedClaim claimState = Objects.requireNonNull(locked.claimState());
        EndOutcome outcome = transactional.end(
                transaction, claimState, new Fence(processor, claimState.generation()), ending, event);
        if (outcome instanceof Refusal refusal) {
            throw RefusedException.of(refusal);
        }
    }
}
