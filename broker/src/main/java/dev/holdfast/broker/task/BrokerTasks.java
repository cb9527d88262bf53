package dev.holdfast.broker.task;

import dev.holdfast.claim.Claims;
import dev.holdfast.review.Reviews;
import dev.holdfast.store.NearbyIds;
import dev.holdfast.store.Store;
import dev.holdfast.task.Task;
import dev.holdfast.task.Tasks;
import dev.holdfast.work.WorkItems;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A broker's tasks, and what maintains them. */
public final class BrokerTasks implements AutoCloseable {
    private final Tasks tasks;
    private final BrokerFinalizer finalizer;
    private final FollowUps followUps;

    /** @param name the broker's name */
    public BrokerTasks(Store store, Claims claims, WorkItems work, Reviews reviews, Webhooks.Rules rules, String name) {
        AtomicReference<Consumer<Task>> due = new AtomicReference<>(_ -> {});
        tasks = new Tasks(store, claims, new NearbyIds(), task -> due.get().accept(task));
        finalizer = new BrokerFinalizer(tasks, "broker-" + name);
        due.set(finalizer::due);
        followUps = new FollowUps(tasks, work, reviews, new Webhooks(rules));
    }

    public Tasks tasks() {
        return tasks;
    }

    public FollowUps followUps() {
        return followUps;
    }

    /** Ends unclaimed tasks that are due. */
    public void sweep() {
        finalizer.sweep();
    }

    /** Ends the remaining steps of tasks that have ended. */
    public void settle(BooleanSupplier stopping) {
        boolean more = true;
        while (more && !stopping.getAsBoolean()) {
            more = tasks.settle();
        }
    }

    @Override
    public void close() {
        finalizer.close();
        followUps.close();
        tasks.close();
    }
}
