package dev.holdfast.broker.task;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.review.Reviews;
import dev.holdfast.store.StoreException;
import dev.holdfast.task.Outbox;
import dev.holdfast.task.Tasks;
import dev.holdfast.work.WorkItems;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the actions that follow the end of a task, and retries those that fail.
 *
 * <p>Each webhook is called on its own thread, one call at a time per host and port, in the order in which the tasks
 * ended; so a receiver that answers slowly, or never, delays only itself.
 */
public final class FollowUps implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FollowUps.class);
    private static final Duration MINE = Duration.ofMinutes(2);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);
    private static final Duration LAST_WORDS = Duration.ofSeconds(3);

    private final Tasks tasks;
    private final FollowUpActions consequences;
    private final Webhooks webhooks;
    private final WebhookSlots places = new WebhookSlots();
    private final ExecutorService calls = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("holdfast-webhook-", 1).factory());

    public FollowUps(Tasks tasks, WorkItems work, Reviews reviews, Webhooks webhooks) {
        this.tasks = tasks;
        this.webhooks = webhooks;
        consequences = new FollowUpActions(tasks, work, reviews, webhooks);
    }

    /**
     * Checks a new task's on_finish before the task is created.
     *
     * @throws InvalidException saying what is wrong
     */
    public void check(String onFinish) {
        if (OnFinish.of(onFinish) instanceof OnFinish.Webhook webhook) {
            webhooks.allowed(webhook.url());
        }
    }

    /** Whether this step's result will be proposed for review when its task ends. */
    public boolean proposes(String stepId) {
        int dot = stepId.lastIndexOf('.');
        if (dot < 0) {
            return false;
        }
        return tasks.onFinish(stepId.substring(0, dot))
                .map(OnFinish::of)
                .filter(end -> end instanceof OnFinish.OpenReview review
                        && review.step().equals(stepId.substring(dot + 1)))
                .isPresent();
    }

    /**
     * Carries out everything that is due, and starts the webhook calls. When the broker stops, actions not yet started
     * stay as they are, with all their attempts.
     */
    public void turn() {
        while (!webhooks.closed()) {
            Optional<Outbox.Due> due = next();
            if (due.isEmpty()) {
                return;
            }
            String place = places.of(due.get().payload());
            if (place == null) {
                attempt(due.get());
            } else {
                begin(due.get(), place);
            }
        }
    }

    /** Synchronized, so that no two threads find the same place free. */
    private synchronized Optional<Outbox.Due> next() {
        Optional<Outbox.Due> due = tasks.outbox().take(MINE, places);
        due.map(taken -> places.of(taken.payload())).ifPresent(places::enter);
        return due;
    }

    private void begin(Outbox.Due due, String place) {
        try {
            calls.execute(() -> {
                try {
                    attempt(due);
                } catch (StoreException e) {
                    LOG.warn("the follow-up of task {} is postponed: {}", due.taskId(), e.getMessage());
                } finally {
                    places.leave(place);
                }
                startWaiting();
            });
        } catch (RejectedExecutionException _) {
            places.leave(place); // the broker is stopping; it is due again when our hold on it expires
        }
    }

    /** The place is free again: starts what waits for it. */
    private void startWaiting() {
        try {
            turn();
        } catch (StoreException e) {
            LOG.debug("left to the next run: {}", e.getMessage());
        }
    }

    private void attempt(Outbox.Due due) {
        try {
            consequences.act(tasks.get(due.taskId()), OnFinish.of(due.payload()));
            tasks.outbox().done(due);
        } catch (InvalidException e) {
            LOG.warn("gave up on the follow-up of task {}: {}", due.taskId(), e.getMessage());
            tasks.outbox().failed(due, String.valueOf(e.getMessage()), null);
        } catch (IOException | RuntimeException e) {
            boolean last = due.attempt() >= webhooks.rules().maxAttempts();
            LOG.warn("after task {}: {}{}", due.taskId(), e.getMessage(), last ? "; given up" : "");
            tasks.outbox().failed(due, e.getClass().getSimpleName() + ": " + e.getMessage(), last ? null : pause(due));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // it is due again when our hold on it expires
        }
    }

    /** 2, 4, 8, ... seconds, each slightly longer, so that not all retries come at once. */
    private static Duration pause(Outbox.Due due) {
        long seconds = Math.min(LONGEST_PAUSE.toSeconds(), 1L << Math.min(due.attempt(), 20));
        return Duration.ofMillis(seconds * (1_000 + Math.floorMod((due.taskId() + due.attempt()).hashCode(), 200)));
    }

    /** Aborts running webhook calls, and lets them record that. */
    @Override
    public void close() {
        webhooks.close();
        calls.shutdown();
        try {
            if (!calls.awaitTermination(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)) {
                calls.shutdownNow(); // what is not recorded is due again when our hold on it expires
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
