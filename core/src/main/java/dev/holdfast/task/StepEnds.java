package dev.holdfast.task;

import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.TransactionalClaims;
import dev.holdfast.store.Await;
import dev.holdfast.store.BusyException;
import dev.holdfast.store.Combiner;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Processes the ends of steps. Concurrent reports share one transaction, so that the steps of one task do not queue up
 * for its counters, commit by commit:
 *
 * <ol>
 *   <li>The claims end, all locked in name order. A refusal here changes nothing and is returned to its caller.
 *   <li>{@link StepEndEffects} does the rest for all accepted ones; a task's counters change once.
 *   <li>If that is refused because one of the tasks has ended, nothing has happened, and each report is processed by
 *       itself.
 * </ol>
 *
 * <p>SQLite's one writer shares its commits anyway, and has no locks to queue up for.
 */
final class StepEnds implements AutoCloseable {
    private static final int CAPACITY = 20_000;
    private static final int LARGEST_BATCH = 128;

    private final Store store;
    private final TransactionalClaims transactional;
    private final StepEndEffects settlement;
    private final @Nullable Combiner<Request> combiner;

    StepEnds(Store store, TransactionalClaims transactional, StepEndEffects settlement) {
        this.store = store;
        this.transactional = transactional;
        this.settlement = settlement;
        combiner = store.engine() == Engine.SQLITE
                ? null
                : new Combiner<>(
                        Executors.newVirtualThreadPerTaskExecutor(),
                        CAPACITY,
                        LARGEST_BATCH,
                        request -> List.of(request.end.stepId()),
                        List.of(this::write));
    }

    private record Request(StepEnd end, CompletableFuture<Steps.Ended> answer) {}

    /** Exactly one of the two is set. */
    private record Answer(
            Steps.@Nullable Ended ended, @Nullable RefusedException refused) {
        Steps.Ended orRefused() {
            if (ended == null) {
                throw refused == null ? new IllegalStateException("neither ended nor refused") : refused;
            }
            return ended;
        }
    }

    Steps.Ended take(StepEnd end) {
        if (combiner == null) {
            return store.write(transaction -> take(transaction, end));
        }
        Request request = new Request(end, new CompletableFuture<>());
        combiner.submit(request);
        return Await.of(request.answer);
    }

    Steps.Ended take(Transaction transaction, StepEnd end) throws SQLException {
        return takeAll(transaction, List.of(end)).getFirst().orRefused();
    }

    private void write(List<Request> batch) {
        boolean interrupted = Thread.interrupted(); // one caller's interrupt, on the thread that writes for all
        try {
            List<Answer> answers = store.write(transaction ->
                    takeAll(transaction, batch.stream().map(Request::end).toList()));
            store.observer().combined(batch.size());
            for (int i = 0; i < batch.size(); i++) {
                answer(batch.get(i), answers.get(i));
            }
        } catch (BusyException | Error e) { // the writer must go on for the others
            batch.forEach(request -> request.answer.completeExceptionally(e));
        } catch (RuntimeException e) {
            if (batch.size() > 1) {
                batch.forEach(request -> write(List.of(request)));
            } else {
                batch.getFirst().answer.completeExceptionally(e);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void answer(Request request, Answer answer) {
        if (answer.ended == null) {
            request.answer.completeExceptionally(answer.refused);
        } else {
            request.answer.complete(answer.ended);
        }
    }

    private List<Answer> takeAll(Transaction transaction, List<StepEnd> ends) throws SQLException {
        List<EndOutcome> outcomes = transactional.completeAll(
                transaction, ends.stream().map(StepEnd::completion).toList());
        List<StepEnd> accepted = new ArrayList<>();
        for (int i = 0; i < ends.size(); i++) {
            if (outcomes.get(i) instanceof EndOutcome.Ended ended && !ended.replayed()) {
                accepted.add(ends.get(i));
            }
        }
        StepEndEffects.Changes changes = settlement.follow(transaction, accepted);
        ClaimOutcome next = ends.size() == 1 ? next(transaction, ends.getFirst(), outcomes.getFirst()) : null;
        Pending<Map<String, Task>> counted = settlement.count(transaction, changes);
        Pending<Map<String, Step>> ended = StepTable.askOutlines(
                transaction, ends.stream().map(StepEnd::stepId).toList());
        Map<String, Task> tasks = new HashMap<>(counted.get());
        Map<String, Step> steps = ended.get();
        List<Answer> answers = new ArrayList<>();
        for (int i = ends.size() - 1; i >= 0; i--) {
            Answer answer = answer(transaction, ends.get(i), outcomes.get(i), steps, tasks, next);
            answers.addFirst(answer);
            if (answer.ended != null && !answer.ended.replayed()) {
                tasks.computeIfPresent(ends.get(i).taskId(), (_, task) -> task.whileOthersWork());
            }
        }
        return answers;
    }

    /**
     * A caller that ends a step on its own gets its next step in the same transaction, before the counters are locked,
     * because whoever locks a step may go on to lock the counters. For several callers the claim engine does that
     * better than one by one here.
     */
    private @Nullable ClaimOutcome next(Transaction transaction, StepEnd end, EndOutcome outcome) throws SQLException {
        try {
            return end.next() == null || outcome instanceof Refusal
                    ? null
                    : transactional.next(transaction, end.next());
        } catch (BusyException _) {
            return null; // asked for again afterwards
        }
    }

    private Answer answer(
            Transaction transaction,
            StepEnd end,
            EndOutcome outcome,
            Map<String, Step> steps,
            Map<String, Task> tasks,
            @Nullable ClaimOutcome next)
            throws SQLException {
        return switch (outcome) {
            case EndOutcome.Ended ended -> {
                Step step = Objects.requireNonNull(steps.get(end.stepId()));
                Task task = tasks.get(end.taskId());
                if (task == null) {
                    task = TaskTable.show(transaction, end.taskId()).orElseThrow();
                    tasks.put(end.taskId(), task);
                }
                yield new Answer(new Steps.Ended(step, task, ended.replayed(), next), null);
            }
            case Refusal.NotFound _ -> new Answer(null, Steps.notFound(end.stepId()));
            case Refusal.BadState ended -> new Answer(null, RefusedException.of(ended));
            case Refusal refusal ->
                new Answer(
                        null,
                        RefusedException.of(transactional
                                .guard(transaction, Step.resource(end.stepId()), end.fence())
                                .orElse(refusal)));
        };
    }

    @Override
    public void close() {
        if (combiner != null) {
            combiner.close();
        }
    }
}
