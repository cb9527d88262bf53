package dev.holdfast.task;

import dev.holdfast.claim.DomainEvent;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.NewResource;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.TransactionalClaims;
import dev.holdfast.store.Sha256;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Creates tasks, and lets running ones fan out. */
record TaskCreation(Store store, TransactionalClaims transactional, StepEndEffects settlement, Supplier<String> ids) {
    /**
     * The same idempotency key with the same content returns the task that was first created with it.
     *
     * @param by who creates it, if known
     */
    Task create(NewTask asked, @Nullable String by) {
        DependencyCheck.check(asked.steps(), Set.of());
        String id = ids.get();
        String hash = hash(asked);
        return store.write(transaction -> {
            long now = transaction.now();
            if (!TaskTable.insert(transaction, id, asked, hash, now)) {
                return made(transaction, asked, id, hash);
            }
            CounterTable.insert(transaction, id);
            transactional.create(
                    transaction,
                    NewResource.of(Task.finalization(id))
                            .queue(asked.finalizer().toString())
                            .kept(true),
                    new DomainEvent(
                            "task_created",
                            by,
                            Map.of("name", asked.name(), "steps", asked.steps().size())));
            add(transaction, id, asked.namespace(), asked.steps(), 0);
            return TaskTable.show(transaction, id).orElseThrow();
        });
    }

    private static Task made(Transaction transaction, NewTask asked, String id, String hash) throws SQLException {
        Optional<TaskTable.Made> before = TaskTable.sameKey(transaction, asked.namespace(), asked.idempotencyKey());
        if (before.isEmpty()) {
            return TaskTable.show(transaction, id).orElseThrow(); // a second run of this same call
        }
        if (!before.get().requestHash().equals(hash)) {
            throw new RefusedException(
                    RefusalCode.BAD_STATE,
                    "idempotency_key '" + asked.idempotencyKey() + "' was used for another task, "
                            + before.get().id() + "; use a new key, or repeat the same request");
        }
        return TaskTable.show(transaction, before.get().id()).orElseThrow();
    }

    /**
     * Adds steps to a running task; a step whose key already exists is left as it is, so that a repeat adds nothing.
     *
     * @param by the step that fans out, and its fence; null: anybody may
     */
    Task add(String taskId, List<NewStep> steps, @Nullable String by, @Nullable Fence fence) {
        return store.write(transaction -> {
            if (by != null && !by.startsWith(taskId + ".")) {
                throw new InvalidException("step " + by + " is not a step of task " + taskId);
            }
            Set<String> present = lockDependencies(transaction, taskId, steps, by);
            if (by != null && fence != null) {
                Optional<Refusal> refusal = transactional.guard(transaction, Step.resource(by), fence);
                if (refusal.isPresent()) {
                    throw RefusedException.of(refusal.get());
                }
            }
            if (CounterTable.lock(transaction, taskId).isEmpty()) {
                throw Tasks.notFound(taskId);
            }
            Task task = TaskTable.show(transaction, taskId).orElseThrow();
            if (task.state().ended()) {
                throw new RefusedException(
                        RefusalCode.BAD_STATE,
                        "task " + taskId + " is " + task.state() + "; nothing can be added to it");
            }
            List<NewStep> missing = missing(transaction, taskId, steps);
            DependencyCheck.check(missing, present);
            if (task.counters().total() + missing.size() > Tasks.MAX_STEPS) {
                throw new InvalidException("a task has at most " + Tasks.MAX_STEPS + " steps");
            }
            if (!missing.isEmpty()) {
                add(transaction, taskId, task.namespace(), missing, StepTable.lastPosition(transaction, taskId));
            }
            return TaskTable.show(transaction, taskId).orElseThrow();
        });
    }

    /** Locked, so that none of them can end between this look and our commit and miss a step that waits for it. */
    private Set<String> lockDependencies(
            Transaction transaction, String taskId, List<NewStep> steps, @Nullable String by) throws SQLException {
        NavigableSet<String> ids = new TreeSet<>(); // in the same order as everybody who locks steps
        steps.forEach(step -> step.dependsOn().forEach(key -> ids.add(Step.id(taskId, key))));
        if (by != null) {
            ids.add(by);
        }
        Set<String> present = new HashSet<>();
        for (String id : ids) {
            if (transactional.lock(transaction, Step.resource(id)).isPresent()) {
                present.add(id.substring(taskId.length() + 1));
            }
        }
        return present;
    }

    private static List<NewStep> missing(Transaction transaction, String taskId, List<NewStep> steps)
            throws SQLException {
        Set<String> there = new HashSet<>();
        for (NewStep step : steps) {
            if (StepTable.show(transaction, Step.id(taskId, step.key())).isPresent()) {
                there.add(step.key());
            }
        }
        return steps.stream().filter(step -> !there.contains(step.key())).toList();
    }

    private void add(Transaction transaction, String taskId, String namespace, List<NewStep> steps, long after)
            throws SQLException {
        Set<String> together = steps.stream().map(NewStep::key).collect(Collectors.toSet());
        CounterTable.Change change = CounterTable.Change.NONE;
        List<String> dead = new ArrayList<>();
        long position = after;
        for (NewStep step : steps) {
            String id = Step.id(taskId, step.key());
            Dependence dependence = dependence(transaction, taskId, step, together);
            boolean waiting = dependence.open > 0;
            StepTable.insert(transaction, taskId, step, ++position, waiting, dependence.open);
            transactional.create(
                    transaction,
                    NewResource.of(Step.resource(id))
                            .queue(namespace)
                            .blocked(waiting)
                            .maxAttempts(step.maxAttempts()),
                    new DomainEvent("step_created", null, Map.of()));
            change = change.plus(CounterTable.Change.of(waiting ? StepState.WAITING : StepState.READY, 1));
            if (dependence.dead) {
                dead.add(id);
            }
        }
        for (NewStep step : steps) {
            for (String before : step.dependsOn()) {
                StepTable.depend(transaction, Step.id(taskId, step.key()), Step.id(taskId, before));
            }
        }
        settlement.changed(transaction, taskId, change);
        for (String id : dead) {
            settlement.skip(transaction, taskId, id);
        }
    }

    /** @param dead it waits for a step that will never succeed */
    private record Dependence(long open, boolean dead) {}

    private static Dependence dependence(Transaction transaction, String taskId, NewStep step, Set<String> together)
            throws SQLException {
        long open = 0;
        boolean dead = false;
        for (String before : step.dependsOn()) {
            Optional<Step> known =
                    together.contains(before) ? Optional.empty() : StepTable.show(transaction, Step.id(taskId, before));
            if (known.isEmpty() || known.get().state() != StepState.SUCCEEDED) {
                open++;
            }
            dead |= known.isPresent()
                    && switch (known.get().state()) {
                        case FAILED, SKIPPED, CANCELLED -> true;
                        case WAITING, READY, CLAIMED, RETRY_WAIT, SUCCEEDED -> false;
                    };
        }
        return new Dependence(open, dead);
    }

    private static String hash(NewTask asked) {
        return Sha256.hex(asked.toString());
    }
}
