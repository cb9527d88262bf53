package dev.holdfast.task;

import dev.holdfast.claim.Claims;
import dev.holdfast.claim.DomainEvent;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.KindClaims;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.claim.TransactionalClaims;
import dev.holdfast.store.BadRows;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Tasks on a store: steps that agents claim, fanned out and in again, and ended exactly once.
 *
 * <ol>
 *   <li>A step is a claimable resource {@code step:<task>.<key>}: blocked while it waits for others, done when it has
 *       ended. Whether it is claimed is read from there and stored nowhere else.
 *   <li>The end of a step frees those that wait for it and changes the task's counters in the same transaction; nobody
 *       ever counts the siblings.
 *   <li>The change that lets a task end offers its finalization, {@code finalization:<task>}, which stays offered until
 *       the task has ended: {@link Finalizations}.
 * </ol>
 */
public final class Tasks implements AutoCloseable {
    static final int MOST_STEPS = 100_000;
    private static final int BATCH = 200;

    private final Store store;
    private final TransactionalClaims gate;
    private final Creation creation;
    private final Settlement settlement;
    private final StepEnds ends;
    private final Steps steps;
    private final Finalizations finalizations;
    private final Outbox outbox;
    private final KindClaims stepKeeper;
    private final KindClaims finalizationKeeper;
    private final BadRows bad = new BadRows(LoggerFactory.getLogger(Tasks.class), "end step");

    /**
     * @param ids makes the ids of tasks; each must be new
     * @param due called after the commit when a task may end
     */
    public Tasks(Store store, Claims claims, Supplier<String> ids, Consumer<Task> due) {
        this.store = store;
        gate = claims.gate();
        settlement = new Settlement(gate, due);
        creation = new Creation(store, gate, settlement, ids);
        ends = new StepEnds(store, gate, settlement);
        steps = new Steps(store, claims, settlement, ends);
        finalizations = new LoggedFinalizations(
                store.engine() == Engine.POSTGRES
                        ? new PostgresFinalizations(store, claims)
                        : new SqliteFinalizations(store, claims));
        outbox = new Outbox(store);
        stepKeeper = new StepKindClaims(claims, steps);
        finalizationKeeper = new FinalizationKindClaims(store, claims, finalizations);
    }

    public Task create(NewTask asked) {
        return creation.create(asked);
    }

    /** @param by the step that fans out, with its fence; null: anybody may */
    public Task add(String taskId, List<NewStep> more, @Nullable String by, @Nullable Fence fence) {
        return creation.add(taskId, more, by, fence);
    }

    public Task get(String taskId) {
        return store.read(transaction -> TaskTable.show(transaction, taskId)).orElseThrow(() -> notFound(taskId));
    }

    /** The namespace of a task; empty when there is no such task. */
    public Optional<String> namespace(String taskId) {
        return store.read(transaction -> TaskTable.show(transaction, taskId)).map(Task::namespace);
    }

    /** What is to be done when a task has ended, as JSON; empty when nothing is, or there is no such task. */
    public Optional<String> onFinish(String taskId) {
        return store.read(transaction -> TaskTable.onFinish(transaction, taskId));
    }

    /** The steps in the order they were given, so many from after this position on. */
    public List<Step> steps(String taskId, long after, int most) {
        return store.read(transaction -> StepTable.ofTask(transaction, taskId, true, after, most));
    }

    /** As {@link #steps(String, long, int)}, without inputs and results, which may be large. */
    public List<Step> outline(String taskId, long after, int most) {
        return store.read(transaction -> StepTable.ofTask(transaction, taskId, false, after, most));
    }

    /** The newest first. */
    public List<Task> list(@Nullable TaskState state, @Nullable String namespace, long before, int most) {
        return store.read(transaction -> TaskTable.list(transaction, state, namespace, before, most));
    }

    public Steps steps() {
        return steps;
    }

    public Finalizations finalizations() {
        return finalizations;
    }

    public Outbox outbox() {
        return outbox;
    }

    /** For those who name steps {@code step:<id>}. */
    public KindClaims stepKeeper() {
        return stepKeeper;
    }

    /** For those who name finalizations {@code finalization:<task>}. */
    public KindClaims finalizationKeeper() {
        return finalizationKeeper;
    }

    /** What was tried on the finalization of a task, also of one that does not exist; the oldest first. */
    public List<Attempt> attempts(String taskId, long after, int most) {
        return store.read(transaction -> AttemptTable.ofTask(transaction, taskId, after, most));
    }

    /**
     * What a processor tried, on whatever task; the oldest first.
     *
     * @param since from this time on, or, with the number of an attempt made then, after that one
     */
    public List<Attempt> attemptsBy(String processorId, Instant since, long after, Instant until, int most) {
        return store.read(transaction -> AttemptTable.ofProcessor(transaction, processorId, since, after, until, most));
    }

    /** What was tried on any task, in the order of the log. */
    public List<Attempt> attempts(long after, int most) {
        return store.read(transaction -> AttemptTable.after(transaction, after, most));
    }

    /** The number of the last attempt of all. */
    public long lastAttempt() {
        return store.read(AttemptTable::last);
    }

    /** Forgets attempts that are older; returns how many, 0 when there are no more. */
    public int dropAttempts(Duration older) {
        return store.write(transaction ->
                AttemptTable.dropOld(transaction, transaction.now() - older.toNanos() / 1_000, BATCH * 5));
    }

    /** Where the list of tasks goes on after this one. */
    public long place(String taskId) {
        return store.read(transaction -> TaskTable.seq(transaction, taskId)).orElseThrow(() -> notFound(taskId));
    }

    public Optional<Step> step(String taskId, String key) {
        return store.read(transaction -> StepTable.show(transaction, Step.id(taskId, key)));
    }

    /** Who completed a step; empty when nobody has. */
    public Optional<String> completedBy(String taskId, String key) {
        return store.read(transaction -> gate.completedBy(transaction, new Resource(Kind.STEP, Step.id(taskId, key))));
    }

    /** By the id of a step, the keys of those that it waits or waited for; for all from one position to another. */
    public Map<String, List<String>> dependencies(String taskId, long first, long last) {
        return store.read(transaction -> StepTable.keysWaitedFor(transaction, taskId, first, last));
    }

    /** Why the task stands where it stands, in sentences. */
    public List<String> explain(String taskId) {
        return store.read(transaction ->
                Explanation.of(transaction, TaskTable.show(transaction, taskId).orElseThrow(() -> notFound(taskId))));
    }

    /**
     * Nothing more is done; whoever works on a step is fenced out as soon as its turn comes. A repeat changes nothing.
     *
     * @param by null: not known
     */
    public Task cancel(String taskId, String reason, @Nullable String by) {
        return store.write(transaction -> {
            Counters counters = CounterTable.lock(transaction, taskId).orElseThrow(() -> notFound(taskId));
            gate.lock(transaction, Task.finalization(taskId));
            Task task = TaskTable.show(transaction, taskId).orElseThrow();
            if (task.state() == TaskState.CANCELLED) {
                return task;
            }
            if (task.state().ended()) {
                throw new RefusedException(
                        RefusalCode.BAD_STATE, "task " + taskId + " is " + task.state() + " already");
            }
            long now = transaction.now();
            TaskTable.end(transaction, taskId, TaskState.CANCELLED, reason, !counters.settled(), now);
            OutboxTable.add(transaction, taskId, null, now);
            gate.retire(
                    transaction,
                    Task.finalization(taskId),
                    "the task was cancelled",
                    new DomainEvent("task_cancelled", by, Map.of("reason", reason)));
            return TaskTable.show(transaction, taskId).orElseThrow();
        });
    }

    /** What became of what is to be done at its end; empty when nothing is, or it has not ended. */
    public Optional<Outbox.Delivery> delivery(String taskId) {
        return store.read(transaction -> OutboxTable.show(transaction, taskId));
    }

    /**
     * Steps that are put off after a failure are ready at once, and what failed at the end of the task is tried again.
     *
     * @return how many steps and actions are retried
     */
    public int retry(String taskId) {
        get(taskId);
        int again = 0;
        for (Step step : outline(taskId, 0, MOST_STEPS)) {
            if (step.state() == StepState.RETRY_WAIT) {
                store.write(transaction -> {
                    gate.putOff(transaction, step.resource(), null);
                    return true;
                });
                again++;
            }
        }
        return again + (store.write(transaction -> OutboxTable.again(transaction, taskId)) ? 1 : 0);
    }

    /** Tasks that may end and that nobody is ending; so many, the first first. */
    public List<String> due(Finalizer by, int most) {
        return store.read(transaction -> gate.offered(transaction, Kind.FINALIZATION, by.toString(), most)).stream()
                .map(Resource::id)
                .toList();
    }

    /** Ends the steps that are left of tasks that have ended; true while there may be more. */
    public boolean settle() {
        List<String> unsettled = store.read(transaction -> TaskTable.unsettled(transaction, BATCH + bad.count()));
        boolean any = false;
        for (String taskId : unsettled) {
            any |= BadRows.either(
                    () -> {
                        store.write(transaction -> settlement.cancelOpen(transaction, taskId, BATCH));
                        return true;
                    },
                    () -> cancelOneByOne(taskId));
        }
        return any;
    }

    /** True when at least one of the steps could be ended. */
    private boolean cancelOneByOne(String taskId) {
        boolean any = false;
        for (String stepId : store.read(transaction -> StepTable.open(transaction, taskId, BATCH + bad.count()))) {
            any |= bad.attempt(stepId, () -> store.write(transaction -> settlement.cancel(transaction, stepId)));
        }
        return any;
    }

    /** Results of steps that have arrived are still accepted; then it ends. */
    @Override
    public void close() {
        ends.close();
    }

    static RefusedException notFound(String taskId) {
        return new RefusedException(RefusalCode.NOT_FOUND, "no task " + taskId);
    }
}
