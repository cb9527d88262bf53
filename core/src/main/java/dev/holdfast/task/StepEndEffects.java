package dev.holdfast.task;

import dev.holdfast.claim.DomainEvent;
import dev.holdfast.claim.LockedClaim;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.claim.TransactionalClaims;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Transaction;
import dev.holdfast.task.CounterTable.Change;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The consequences of steps ending, in the same transaction:
 *
 * <ol>
 *   <li>Each step that waited for one of them has one less to wait for, and is ready if none is left. If a step did not
 *       succeed, those that wait for it can never become ready: they are skipped.
 *   <li>The task's counters change, under their lock, and with them the sequence that the finalizer must have seen.
 *   <li>If the policy now allows the task to end, its finalization is offered. If somebody already holds it, that
 *       holder sees the new sequence before it can finish or release.
 * </ol>
 */
record StepEndEffects(TransactionalClaims transactional, Consumer<Task> due) {
    /** These steps' own claims are already over; computes the effects on other steps, before the counters change. */
    Changes follow(Transaction transaction, List<StepEnd> ends) throws SQLException {
        Changes changes = new Changes();
        if (ends.isEmpty()) {
            return changes;
        }
        StepTable.endAll(transaction, ends, transaction.now());
        ends.forEach(end -> changes.add(end.stepId(), Change.from(StepState.READY, end.state())));
        Map<String, Long> fewer = StepTable.waitingFor(transaction, ids(ends, StepState.SUCCEEDED));
        Map<String, String> stranded = stranded(transaction, ids(ends, StepState.FAILED));
        lock(transaction, fewer.keySet(), stranded.keySet());
        free(transaction, fewer, changes);
        skip(transaction, stranded, changes);
        return changes;
    }

    /** Changes the counters; returns the resulting tasks, by id. */
    Pending<Map<String, Task>> count(Transaction transaction, Changes changes) throws SQLException {
        Map<String, Pending<Task>> counted = new TreeMap<>();
        for (Map.Entry<String, Change> change : changes.byTask.entrySet()) {
            counted.put(change.getKey(), count(transaction, change.getKey(), change.getValue()));
        }
        return () -> {
            Map<String, Task> tasks = new HashMap<>();
            for (Map.Entry<String, Pending<Task>> task : counted.entrySet()) {
                tasks.put(task.getKey(), unlessEnded(task.getValue().get()));
            }
            return tasks;
        };
    }

    /** By how much the counters of several tasks change; they are locked in task order. */
    static final class Changes {
        private final SortedMap<String, Change> byTask = new TreeMap<>();

        private void add(String stepId, Change change) {
            byTask.merge(Step.taskOf(stepId), change, Change::plus);
        }
    }

    private static List<String> ids(List<StepEnd> ends, StepState state) {
        return ends.stream()
                .filter(end -> end.state() == state)
                .map(StepEnd::stepId)
                .toList();
    }

    /** Locks waiting steps in the same order as everybody else. */
    private void lock(Transaction transaction, Set<String> some, Set<String> others) throws SQLException {
        List<Resource> resources = Stream.concat(some.stream(), others.stream())
                .map(Step::resource)
                .toList();
        if (!resources.isEmpty()) {
            transactional.lockAll(transaction, resources);
        }
    }

    private void free(Transaction transaction, Map<String, Long> fewer, Changes changes) throws SQLException {
        for (Map.Entry<String, Long> waiting : fewer.entrySet()) {
            if (StepTable.decrement(transaction, waiting.getKey(), waiting.getValue())) {
                transactional.unblock(transaction, Step.resource(waiting.getKey()), true);
                changes.add(waiting.getKey(), Change.from(StepState.WAITING, StepState.READY));
            }
        }
    }

    /** Everything that waits for these steps, directly or indirectly, each with the failed step that it waits for. */
    private static Map<String, String> stranded(Transaction transaction, List<String> failed) throws SQLException {
        Map<String, String> stranded = new TreeMap<>();
        for (String stepId : failed) {
            Collection<String> ended = List.of(stepId);
            while (!ended.isEmpty()) {
                Set<String> waiting = StepTable.waitingFor(transaction, ended).keySet();
                ended = waiting.stream()
                        .filter(id -> stranded.putIfAbsent(id, stepId) == null)
                        .toList();
            }
        }
        return stranded;
    }

    private void skip(Transaction transaction, Map<String, String> stranded, Changes changes) throws SQLException {
        for (Map.Entry<String, String> waiting : stranded.entrySet()) {
            String id = waiting.getKey();
            if (StepTable.waits(transaction, id)) {
                changes.add(id, leaveOut(transaction, id, StepState.SKIPPED, StepState.WAITING, waiting.getValue()));
            }
        }
    }

    /** Skips everything that waits for this step, directly or indirectly. */
    private Change skipDependents(Transaction transaction, String stepId) throws SQLException {
        Map<String, String> stranded = stranded(transaction, List.of(stepId));
        lock(transaction, stranded.keySet(), Set.of());
        Changes changes = new Changes();
        skip(transaction, stranded, changes);
        return changes.byTask.getOrDefault(Step.taskOf(stepId), Change.NONE);
    }

    private Change leaveOut(Transaction transaction, String stepId, StepState end, StepState before, String because)
            throws SQLException {
        StepTable.end(transaction, stepId, end, null, transaction.now());
        transactional.retire(
                transaction,
                Step.resource(stepId),
                "its step was " + end,
                new DomainEvent("step_" + end, null, Map.of("because", because)));
        return Change.from(before, end);
    }

    /** A step that was added after one of its dependencies had failed. */
    void skip(Transaction transaction, String taskId, String stepId) throws SQLException {
        if (StepTable.waits(transaction, stepId)) {
            Change change = leaveOut(transaction, stepId, StepState.SKIPPED, StepState.WAITING, "added too late");
            changed(transaction, taskId, change.plus(skipDependents(transaction, stepId)));
        }
    }

    /**
     * Changes the counters and checks whether the task may end now.
     *
     * @throws RefusedException if the task has ended; its steps can no longer change
     */
    Task changed(Transaction transaction, String taskId, Change change) throws SQLException {
        return unlessEnded(count(transaction, taskId, change).get());
    }

    private static Task unlessEnded(Task task) {
        if (task.state().ended()) {
            throw new RefusedException(
                    RefusalCode.BAD_STATE, "task " + task.id() + " is " + task.state() + "; its steps are over");
        }
        return task;
    }

    private Pending<Task> count(Transaction transaction, String taskId, Change change) throws SQLException {
        CounterTable.change(transaction, taskId, change);
        Pending<Optional<Task>> shown = TaskTable.ask(transaction, taskId);
        return () -> {
            Task task = shown.get().orElseThrow();
            if (!task.state().ended() && task.policy().due(task.counters())) {
                offer(transaction, task);
            }
            return task;
        };
    }

    private void offer(Transaction transaction, Task task) throws SQLException {
        Resource finalization = Task.finalization(task.id());
        Optional<LockedClaim> claimState = transactional.lock(transaction, finalization);
        if (claimState.isPresent() && claimState.get().claim() == null) {
            transactional.reopen(transaction, finalization, false, new DomainEvent("task_due", null, Map.of()));
        }
        transaction.afterCommit(() -> due.accept(task));
    }

    /** A step that nobody will ever complete, whether or not its task goes on. */
    void givenUp(Transaction transaction, Step step, String error) throws SQLException {
        StepTable.end(transaction, step.id(), StepState.FAILED, error, transaction.now());
        Change change = Change.from(StepState.READY, StepState.FAILED).plus(skipDependents(transaction, step.id()));
        count(transaction, step.taskId(), change).get();
    }

    /** Cancels a step that was handed out while its task ended; returns false if it has already ended. */
    boolean cancel(Transaction transaction, String stepId) throws SQLException {
        transactional.lock(transaction, Step.resource(stepId));
        Step step = StepTable.show(transaction, stepId).orElseThrow();
        if (step.finishedAt() == null) {
            Change change = leaveOut(transaction, stepId, StepState.CANCELLED, step.state(), "the task has ended");
            CounterTable.change(transaction, step.taskId(), change);
            return true;
        }
        return false;
    }

    /**
     * Cancels open steps of a task that ended before them, at most this many at a time; returns true if none are left.
     */
    boolean cancelOpen(Transaction transaction, String taskId, int max) throws SQLException {
        List<String> open = StepTable.open(transaction, taskId, max);
        Change change = Change.NONE;
        for (String id : open) {
            transactional.lock(transaction, Step.resource(id));
            Step step = StepTable.show(transaction, id).orElseThrow();
            if (step.finishedAt() == null) {
                change =
                        change.plus(leaveOut(transaction, id, StepState.CANCELLED, step.state(), "the task has ended"));
            }
        }
        CounterTable.change(transaction, taskId, change);
        if (open.size() < max) {
            TaskTable.unsettled(transaction, taskId, false);
        }
        return open.size() < max;
    }
}
