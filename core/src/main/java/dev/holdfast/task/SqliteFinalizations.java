package dev.holdfast.task;

import static dev.holdfast.task.FinalizationAnswer.ALREADY_CLAIMED;
import static dev.holdfast.task.FinalizationAnswer.ALREADY_COMPLETE;
import static dev.holdfast.task.FinalizationAnswer.EXTENDED;
import static dev.holdfast.task.FinalizationAnswer.FINISHED;
import static dev.holdfast.task.FinalizationAnswer.GRANTED;
import static dev.holdfast.task.FinalizationAnswer.LOST;
import static dev.holdfast.task.FinalizationAnswer.NOT_FOUND;
import static dev.holdfast.task.FinalizationAnswer.NOT_FULFILLED;
import static dev.holdfast.task.FinalizationAnswer.NOT_OWNED;
import static dev.holdfast.task.FinalizationAnswer.NOT_READY;
import static dev.holdfast.task.FinalizationAnswer.REEVALUATE;
import static dev.holdfast.task.FinalizationAnswer.RELEASED;
import static dev.holdfast.task.FinalizationAnswer.REPLAYED;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Gate;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Standing;
import dev.holdfast.claim.Text;
import dev.holdfast.claim.Told;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The same contract as PostgreSQL's functions, in the one process that SQLite has. */
final class SqliteFinalizations implements Finalizations {
    private final Store store;
    private final Claims claims;
    private final Gate gate;

    SqliteFinalizations(Store store, Claims claims) {
        this.store = store;
        this.claims = claims;
        gate = claims.gate();
    }

    /** A task and its finalization, under lock; both null when there is no such task. */
    private record Found(@Nullable Task task, @Nullable Standing standing) {
        @Nullable
        Long requestedSeq() {
            return task == null ? null : task.counters().requestedSeq();
        }

        boolean ended() {
            return task != null && task.state().ended();
        }

        String taskState() {
            if (task == null) {
                return "not_found";
            }
            return task.state().ended() ? "complete" : task.executionStatus();
        }

        boolean heldBy(String processor, @Nullable Long generation) {
            return standing != null
                    && processor.equals(standing.holder())
                    && (generation == null || generation == standing.generation());
        }
    }

    private Found find(Transaction transaction, String taskId) throws SQLException {
        Task task = TaskTable.show(transaction, taskId).orElse(null);
        return task == null
                ? new Found(null, null)
                : new Found(
                        task, gate.lock(transaction, Task.finalization(taskId)).orElseThrow());
    }

    @Override
    public Claimed claim(String taskId, String processor, @Nullable Duration timeout, @Nullable Long generation) {
        Text.holder(processor);
        claims.leases().micros(Kind.FINALIZATION, timeout);
        return store.write(transaction -> {
            long began = System.nanoTime();
            Found found = find(transaction, taskId);
            FinalizationAnswer answer = judge(found, processor, generation);
            Claim claim = answer == GRANTED || answer == EXTENDED
                    ? grant(transaction, found, processor, timeout, answer)
                    : null;
            String holder = found.standing == null ? null : found.standing.holder();
            Claimed claimed = new Claimed(
                    claim != null,
                    claim != null ? processor : answer == ALREADY_CLAIMED || answer == LOST ? holder : null,
                    found.taskState(),
                    answer == LOST ? ALREADY_CLAIMED.message() : answer.message(),
                    claim == null ? null : claim.generation(),
                    found.requestedSeq());
            AttemptTable.add(
                    transaction,
                    new Attempt(
                            0,
                            taskId,
                            processor,
                            generation == null ? "claim" : "extend",
                            answer.toString(),
                            claimed.claimed(),
                            claimed.alreadyClaimedBy(),
                            claimed.taskState(),
                            claimed.message(),
                            claimed.claimGeneration(),
                            claimed.requestedSeq(),
                            (System.nanoTime() - began) / 1e9,
                            null));
            return claimed;
        });
    }

    private static FinalizationAnswer judge(Found found, String processor, @Nullable Long generation) {
        Task task = found.task;
        Standing standing = found.standing;
        if (task == null || standing == null) {
            return NOT_FOUND;
        }
        if (task.state().ended()) {
            return ALREADY_COMPLETE;
        }
        Counters counters = task.counters();
        if (counters.succeeded() == 0
                && counters.failed() == 0
                && !task.policy().due(counters)) {
            return NOT_READY;
        }
        if (generation != null) {
            return found.heldBy(processor, generation) ? EXTENDED : LOST;
        }
        if (standing.claim() == null || standing.expired()) {
            return GRANTED;
        }
        return found.heldBy(processor, null) ? EXTENDED : ALREADY_CLAIMED;
    }

    private Claim grant(
            Transaction transaction,
            Found found,
            String processor,
            @Nullable Duration timeout,
            FinalizationAnswer answer)
            throws SQLException {
        Task task = Objects.requireNonNull(found.task);
        Standing standing = Objects.requireNonNull(found.standing);
        TaskTable.tell(transaction, task.id(), task.counters().requestedSeq());
        ClaimRequest asked = ClaimRequest.of(standing.resource(), processor)
                .ttl(timeout)
                .generation(answer == EXTENDED ? Long.valueOf(standing.generation()) : null);
        return switch (gate.claim(transaction, asked)) {
            case ClaimOutcome.Granted granted -> granted.claim();
            case ClaimOutcome.AlreadyHeld already -> already.claim();
            case ClaimOutcome.Nothing _ -> throw new IllegalStateException("a named claim found nothing");
            case Refusal refusal -> throw RefusedException.of(refusal);
        };
    }

    @Override
    public boolean release(String taskId, String processor, @Nullable Long generation, @Nullable Long handledSeq) {
        return store.write(transaction -> {
            long began = System.nanoTime();
            Found found = find(transaction, taskId);
            boolean released = found.heldBy(processor, generation);
            Task task = found.task;
            Standing standing = found.standing;
            if (released && task != null && standing != null) {
                long handled = handledSeq == null ? TaskTable.told(transaction, taskId) : handledSeq;
                boolean nothingNew = !task.policy().due(task.counters())
                        && handled >= task.counters().requestedSeq();
                end(transaction, standing, processor, Ending.released(null, nothingNew), "released", Map.of());
            }
            AttemptTable.add(
                    transaction,
                    new Attempt(
                            0,
                            taskId,
                            processor,
                            "release",
                            (released ? RELEASED : NOT_OWNED).toString(),
                            false,
                            standing == null ? null : standing.holder(),
                            found.taskState(),
                            (released ? RELEASED : NOT_OWNED).message(),
                            released && standing != null ? Long.valueOf(standing.generation()) : generation,
                            found.requestedSeq(),
                            (System.nanoTime() - began) / 1e9,
                            null));
            return released;
        });
    }

    @Override
    public Finished finish(
            String taskId, String processor, long generation, @Nullable Long handledSeq, @Nullable TaskState outcome) {
        return store.write(transaction -> {
            long began = System.nanoTime();
            Found found = find(transaction, taskId);
            Finished finished = finish(transaction, found, processor, generation, handledSeq, outcome);
            AttemptTable.add(
                    transaction,
                    new Attempt(
                            0,
                            taskId,
                            processor,
                            "finish",
                            (found.ended() && finished.finished() ? REPLAYED : finished.answer()).toString(),
                            finished.finished(),
                            found.standing == null ? null : found.standing.holder(),
                            finished.taskState(),
                            finished.message(),
                            generation,
                            finished.requestedSeq(),
                            (System.nanoTime() - began) / 1e9,
                            null));
            return finished;
        });
    }

    private Finished finish(
            Transaction transaction,
            Found found,
            String processor,
            long generation,
            @Nullable Long handledSeq,
            @Nullable TaskState outcome)
            throws SQLException {
        Task task = found.task;
        Standing standing = found.standing;
        if (task == null || standing == null) {
            return refused(found, NOT_FOUND.message());
        }
        Counters counters = task.counters();
        if (task.state().ended()) {
            boolean own = Objects.equals(standing.endedGeneration(), generation)
                    && processor.equals(standing.endedBy())
                    && (outcome == null || outcome == task.state());
            return new Finished(
                    own, "complete", false, counters.requestedSeq(), (own ? REPLAYED : ALREADY_COMPLETE).message());
        }
        if (!found.heldBy(processor, generation)) {
            String holder = standing.holder();
            return refused(found, LOST.message() + (holder == null ? ": nobody holds it" : " to " + holder));
        }
        long handled = handledSeq == null ? TaskTable.told(transaction, task.id()) : handledSeq;
        if (handled != counters.requestedSeq()) {
            TaskTable.tell(transaction, task.id(), counters.requestedSeq());
            return new Finished(false, found.taskState(), true, counters.requestedSeq(), REEVALUATE.message());
        }
        if (!task.policy().due(counters)) {
            return refused(
                    found,
                    NOT_FULFILLED.message() + " " + task.policy() + " is not fulfilled: " + counters.waiting()
                            + " steps are waiting, " + counters.active() + " active");
        }
        TaskState end =
                outcome == TaskState.FAILED ? TaskState.FAILED : task.policy().end(counters);
        if (outcome != null && outcome != end) {
            return refused(
                    found,
                    NOT_FULFILLED.message() + " " + task.policy() + " does not let a task with " + counters.failed()
                            + " failed steps end as complete");
        }
        TaskTable.end(transaction, task.id(), end, null, !counters.settled(), transaction.now());
        OutboxTable.add(transaction, task.id(), task.onFinish(), transaction.now());
        end(
                transaction,
                standing,
                processor,
                Ending.completed(end.toString()),
                "task_finished",
                Map.of("state", end.toString()));
        return new Finished(true, "complete", false, counters.requestedSeq(), FINISHED.message());
    }

    private static Finished refused(Found found, String message) {
        return new Finished(false, found.taskState(), false, found.requestedSeq(), message);
    }

    private void end(
            Transaction transaction,
            Standing standing,
            String processor,
            Ending ending,
            String type,
            Map<String, Object> detail)
            throws SQLException {
        EndOutcome outcome = gate.end(
                transaction,
                standing.resource(),
                new Fence(processor, standing.generation()),
                ending,
                new Told(type, processor, detail));
        if (outcome instanceof Refusal refusal) {
            throw RefusedException.of(refusal);
        }
    }
}
