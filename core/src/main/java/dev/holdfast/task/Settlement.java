package dev.holdfast.task;

import dev.holdfast.claim.Gate;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.claim.Standing;
import dev.holdfast.claim.Told;
import dev.holdfast.store.Transaction;
import dev.holdfast.task.CounterTable.Change;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the end of a step brings about, in the transaction of that end:
 *
 * <ol>
 *   <li>Those that waited for it have one less to wait for; whoever has none left is ready. If it did not succeed they
 *       never will be: they are skipped.
 *   <li>The task's counters change, under their lock, and with them the sequence that whoever ends the task must have seen.
 *   <li>If the policy now lets the task end, its finalization is offered. If somebody holds it, it sees the new sequence
 *       before it can end or let go.
 * </ol>
 */
final class Settlement {
    private final Gate gate;
    private final Consumer<Task> due;

    /** @param due told, after the commit, that a task may end */
    Settlement(Gate gate, Consumer<Task> due) {
        this.gate = gate;
        this.due = due;
    }

    /** The step's own claim is over already; this is what it leaves. */
    void ended(Transaction transaction, Step step, StepState end, @Nullable String result, @Nullable String error)
            throws SQLException {
        StepTable.end(transaction, step.id(), end, result, error, transaction.now());
        Change change = Change.from(StepState.READY, end);
        change =
                change.plus(end == StepState.SUCCEEDED ? free(transaction, step.id()) : strand(transaction, step.id()));
        changed(transaction, step.taskId(), change);
    }

    private Change free(Transaction transaction, String stepId) throws SQLException {
        Change change = Change.NONE;
        for (String waiting : StepTable.waitingFor(transaction, stepId)) {
            Resource resource = Step.resource(waiting);
            gate.lock(transaction, resource);
            if (StepTable.decrement(transaction, waiting)) {
                gate.unblock(transaction, resource, true);
                change = change.plus(Change.from(StepState.WAITING, StepState.READY));
            }
        }
        return change;
    }

    /** Everything that waits for this step, directly or not, is skipped. */
    private Change strand(Transaction transaction, String stepId) throws SQLException {
        NavigableSet<String> stranded = new TreeSet<>(); // locked in an order that all who do so share
        Deque<String> ended = new ArrayDeque<>(List.of(stepId));
        while (!ended.isEmpty()) {
            for (String waiting : StepTable.waitingFor(transaction, ended.poll())) {
                if (stranded.add(waiting)) {
                    ended.add(waiting);
                }
            }
        }
        Change change = Change.NONE;
        for (String id : stranded) {
            gate.lock(transaction, Step.resource(id));
            if (StepTable.waits(transaction, id)) {
                change = change.plus(leaveOut(transaction, id, StepState.SKIPPED, StepState.WAITING, stepId));
            }
        }
        return change;
    }

    private Change leaveOut(Transaction transaction, String stepId, StepState end, StepState before, String because)
            throws SQLException {
        StepTable.end(transaction, stepId, end, null, null, transaction.now());
        gate.retire(
                transaction,
                Step.resource(stepId),
                "its step was " + end,
                new Told("step_" + end, null, Map.of("because", because)));
        return Change.from(before, end);
    }

    /** A step that was added after something it waits for had failed. */
    void skip(Transaction transaction, String taskId, String stepId) throws SQLException {
        if (StepTable.waits(transaction, stepId)) {
            Change change = leaveOut(transaction, stepId, StepState.SKIPPED, StepState.WAITING, "added too late");
            changed(transaction, taskId, change.plus(strand(transaction, stepId)));
        }
    }

    /**
     * Changes the counters and looks whether the task may end now.
     *
     * @throws RefusedException the task has ended: nothing more is to be said about its steps
     */
    void changed(Transaction transaction, String taskId, Change change) throws SQLException {
        Task task = counted(transaction, taskId, change);
        if (task.state().ended()) {
            throw new RefusedException("bad_state", "task " + taskId + " is " + task.state() + "; its steps are over");
        }
    }

    private Task counted(Transaction transaction, String taskId, Change change) throws SQLException {
        CounterTable.change(transaction, taskId, change);
        Task task = TaskTable.show(transaction, taskId).orElseThrow();
        if (!task.state().ended() && task.policy().due(task.counters())) {
            offer(transaction, task);
        }
        return task;
    }

    private void offer(Transaction transaction, Task task) throws SQLException {
        Resource finalization = Task.finalization(task.id());
        Optional<Standing> standing = gate.lock(transaction, finalization);
        if (standing.isPresent() && standing.get().claim() == null) {
            gate.reopen(transaction, finalization, false, new Told("task_due", null, Map.of()));
        }
        transaction.afterCommit(() -> due.accept(task));
    }

    /** A step that nobody will ever complete, whether its task goes on or not. */
    void givenUp(Transaction transaction, Step step, String error) throws SQLException {
        StepTable.end(transaction, step.id(), StepState.FAILED, null, error, transaction.now());
        Change change = Change.from(StepState.READY, StepState.FAILED).plus(strand(transaction, step.id()));
        counted(transaction, step.taskId(), change);
    }

    /** A step that was given out while its task ended. */
    void cancel(Transaction transaction, String stepId) throws SQLException {
        gate.lock(transaction, Step.resource(stepId));
        Step step = StepTable.show(transaction, stepId).orElseThrow();
        if (step.finishedAt() == null) {
            Change change = leaveOut(transaction, stepId, StepState.CANCELLED, step.state(), "the task has ended");
            CounterTable.change(transaction, step.taskId(), change);
        }
    }

    /** Ends open steps of a task that has ended before them, so many at a time; true when none is left. */
    boolean cancelOpen(Transaction transaction, String taskId, int most) throws SQLException {
        List<String> open = StepTable.open(transaction, taskId, most);
        Change change = Change.NONE;
        for (String id : open) {
            gate.lock(transaction, Step.resource(id));
            Step step = StepTable.show(transaction, id).orElseThrow();
            if (step.finishedAt() == null) {
                change =
                        change.plus(leaveOut(transaction, id, StepState.CANCELLED, step.state(), "the task has ended"));
            }
        }
        CounterTable.change(transaction, taskId, change);
        if (open.size() < most) {
            TaskTable.unsettled(transaction, taskId, false);
        }
        return open.size() < most;
    }
}
