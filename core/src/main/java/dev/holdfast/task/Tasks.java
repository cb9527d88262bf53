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
 * Tasks on a store: steps that agents claim, fan-out and fan-in, and an end that happens exactly once.
 *
 * <ol>
 *   <li>A step is a claimable resource {@code step:<task>.<key>}: blocked while it waits for others, done when it has
 *       ended. That resource is the only record of whether it is claimed.
 *   <li>The end of a step frees those that wait for it and changes the task's counters in the same transaction; sibling
 *       steps are never counted.
 *   <li>The change that lets a task end offers its finalization, {@code finalization:<task>}, which stays offered until
 *       the task has ended: {@link Finalizations}.
 * </ol>
 */
public final class Tasks implements AutoCloseable {
    static final int MAX_STEPS = 100_000;
    private static final int BATCH = 200;

    private final Store store;
    private final TransactionalClaims transactional;
    private final TaskCreation creation;
    private final StepEndEffects settlement;
    private final StepEnds ends;
    private final Steps steps;
    private final Finalizations finalizations;
    private final Outbox outbox;
    private final KindClaims stepKindClaims;
    private final KindClaims finalizationKindClaims;
    private final BadRows bad = new BadRows(LoggerFactory.getLogger(Tasks.class), "end step");

    /**
     * @param ids generates the ids of tasks; each must be new
     * @param due called after the commit when a task may end
     */
    public Tasks(Store store, Claims claims, Supplier<String> ids, Consumer<Task> due) {
        this.store = store;
        transactional = claims.transactional();
        settlement = new StepEndEffects(transactional, due);
        creation = new TaskCreation(store, transactional, settlement, ids);
        ends = new StepEnds(store, transactional, settlement);
        steps = new Steps(store, claims, settlement, ends);
        finalizations = new LoggedFinalizations(
                store.engine() == Engine.POSTGRES
                        ? new PostgresFinalizations(store, claims)
                        : new SqliteFinalizations(store, claims));
        outbox = new Outbox(store);
        stepKindClaims = new StepKindClaims(claims, steps);
        finalizationKindClaims = new FinalizationKindClaims(store, claims, finalizations);
    }

    public Task create(NewTask asked) {
        return create(asked, null);
    }

    /** @param by who creates it, for the audit log */
    public Task create(NewTask asked, @Nullable String by) {
        return creation.create(asked, by);
    }

    /** @param by the step that fans out, with its fence; null: anybody may */
    public Task add(String taskId, List<NewStep> more, @Nullable String by, @Nullable Fence fence) {
        return creation.add(taskId, more, by, fence);
    }

    public Task get(String taskId) {
        return store.read(transaction -> TaskTable.show(transaction, taskId)).orElseThrow(() -> notFound(taskId));
    }

    /** The namespace of a task; empty if there is no such task. */
    public Optional<String> namespace(String taskId) {
        return store.read(transaction -> TaskTable.show(transaction, taskId)).map(Task::namespace);
    }

    /** What to do when a task has ended, as JSON; empty if there is nothing, or no such task. */
    public Optional<String> onFinish(String taskId) {
        return store.read(transaction -> TaskTable.onFinish(transaction, taskId));
    }

    /**
     * The steps in the order in which they were given; at most this many, after this position, and fewer where their
     * inputs and results have many megabytes.
     */
    public List<Step> steps(String taskId, long after, int max) {
        return store.read(transaction -> StepTable.ofTask(transaction, taskId, after, max));
    }

    /** The steps without inputs and results; at most this many, after this position. */
    public List<Step> outline(String taskId, long after, int max) {
        return store.read(transaction -> StepTable.outlines(transaction, taskId, after, max));
    }

    /** Newest first. */
    public List<Task> list(@Nullable TaskState state, @Nullable String namespace, long before, int max) {
        return store.read(transaction -> TaskTable.list(transaction, state, namespace, before, max));
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

    /** For callers that name steps {@code step:<id>}. */
    public KindClaims stepKindClaims() {
        return stepKindClaims;
    }

    /** For callers that name finalizations {@code finalization:<task>}. */
    public KindClaims finalizationKindClaims() {
        return finalizationKindClaims;
    }

    /** The attempts on a task's finalization, even if the task does not exist; oldest first. */
    public List<Attempt> attempts(String taskId, long after, int max) {
        return store.read(transaction -> AttemptTable.ofTask(transaction, taskId, after, max));
    }

    /**
     * A processor's attempts on any task; oldest first.
     *
     * @param since from this time on or, if {@code after} is the id of an attempt made at this time, after that attempt
     */
    public List<Attempt> attemptsBy(String processorId, Instant since, long after, Instant until, int max) {
        return store.read(transaction -> AttemptTable.ofProcessor(transaction, processorId, since, after, until, max));
    }

    /** The attempts on all tasks, in the order of the log. */
    public List<Attempt> attempts(long after, int max) {
        return store.read(transaction -> AttemptTable.after(transaction, after, max));
    }

    /** The id of the last attempt in the log. */
    public long lastAttempt() {
        return store.read(AttemptTable::last);
    }

    /** Deletes attempts older than this; returns how many, 0 if there are no more. */
    public int dropAttempts(Duration older) {
        return store.write(transaction ->
                AttemptTable.dropOld(transaction, transaction.now() - older.toNanos() / 1_000, BATCH * 5));
    }

    /** The position from which to continue the list of tasks after this one. */
    public long place(String taskId) {
        return store.read(transaction -> TaskTable.seq(transaction, taskId)).orElseThrow(() -> notFound(taskId));
    }

    public Optional<Step> step(String taskId, String key) {
        return store.read(transaction -> StepTable.show(transaction, Step.id(taskId, key)));
    }

    /** Who completed a step; empty if nobody has. */
    public Optional<String> completedBy(String taskId, String key) {
        return store.read(
                transaction -> transactional.completedBy(transaction, new Resource(Kind.STEP, Step.id(taskId, key))));
    }

    /** The keys of the steps that each step waits or waited for, by step id; for a range of positions. */
    public Map<String, List<String>> dependencies(String taskId, long first, long last) {
        return store.read(transaction -> StepTable.keysWaitedFor(transaction, taskId, first, last));
    }

    /** Explains in sentences why the task is where it is. */
    public List<String> explain(String taskId) {
        return store.read(transaction -> TaskExplanation.of(
                transaction, TaskTable.show(transaction, taskId).orElseThrow(() -> notFound(taskId))));
    }

    /**
     * Cancels the task; holders of its steps are fenced out as each step is processed. A repeat changes nothing.
     *
     * @param by null: unknown
     */
    public Task cancel(String taskId, String reason, @Nullable String by) {
        return store.write(transaction -> {
            Counters counters = CounterTable.lock(transaction, taskId).orElseThrow(() -> notFound(taskId));
            transactional.lock(transaction, Task.finalization(taskId));
            Task task = TaskTable.show(transaction, taskId).orElseThrow();
            if (task.state() == TaskState.CANCELLED) {
                return task;
            }
            if (task.state().ended()) {
                throw new RefusedException(RefusalCode.BAD_STATE, "task " + taskId + " is already " + task.state());
            }
            long now = transaction.now();
            TaskTable.end(transaction, taskId, TaskState.CANCELLED, reason, !counters.settled(), now);
            OutboxTable.add(transaction, taskId, null, now);
            transactional.retire(
                    transaction,
                    Task.finalization(taskId),
                    "the task was cancelled",
                    new DomainEvent("task_cancelled", by, Map.of("reason", reason)));
            return TaskTable.show(transaction, taskId).orElseThrow();
        });
    }

    /** The state of its follow-up action; empty if there is none, or the task has not ended. */
    public Optional<Outbox.Delivery> delivery(String taskId) {
        return store.read(transaction -> OutboxTable.show(transaction, taskId));
    }

    /**
     * Makes steps that wait for a retry ready at once, and retries a failed follow-up action.
     *
     * @return how many steps and actions are retried
     */
    public int retry(String taskId) {
        get(taskId);
        int again = 0;
        for (Step step : outline(taskId, 0, MAX_STEPS)) {
            if (step.state() == StepState.RETRY_WAIT) {
                store.write(transaction -> {
                    transactional.postpone(transaction, step.resource(), null);
                    return true;
                });
                again++;
            }
        }
        return again + (store.write(transaction -> OutboxTable.again(transaction, taskId)) ? 1 : 0);
    }

    /** Tasks that may end and that nobody is ending; at most this many, in order. */
    public List<String> due(Finalizer by, int max) {
        return store
                .read(transaction -> transactional.offered(transaction, Kind.FINALIZATION, by.toString(), max))
                .stream()
                .map(Resource::id)
                .toList();
    }

    /** Ends the remaining steps of ended tasks; returns true while there may be more. */
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

    /** Returns true if at least one step could be ended. */
    private boolean cancelOneByOne(String taskId) {
        boolean any = false;
        for (String stepId : store.read(transaction -> StepTable.open(transaction, taskId, BATCH + bad.count()))) {
            any |= bad.attempt(stepId, () -> store.write(transaction -> settlement.cancel(transaction, stepId)));
        }
        return any;
    }

    /** Still accepts the step results that have arrived, then closes. */
    @Override
    public void close() {
        ends.close();
    }

    static RefusedException notFound(String taskId) {
        return new RefusedException(RefusalCode.NOT_FOUND, "no task " + taskId);
    }
}
