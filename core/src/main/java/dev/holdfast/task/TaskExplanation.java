package dev.holdfast.task;

import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Explains why a task is where it is: what it waits for, and who could do something about it. */
final class TaskExplanation {
    private static final int NAMED = 3;
    private static final int LOOKED_AT = 1_000;

    private final Transaction transaction;
    private final Task task;
    private final List<String> sentences = new ArrayList<>();

    private TaskExplanation(Transaction transaction, Task task) {
        this.transaction = transaction;
        this.task = task;
    }

    static List<String> of(Transaction transaction, Task task) throws SQLException {
        TaskExplanation explanation = new TaskExplanation(transaction, task);
        if (task.state().ended()) {
            explanation.ended();
        } else {
            explanation.open();
        }
        return explanation.sentences;
    }

    private void ended() throws SQLException {
        String reason = task.reason();
        say("The task " + how() + (reason == null ? "" : ": " + reason) + ".");
        failures();
        if (!task.counters().settled()) {
            say("Its remaining " + (task.counters().waiting() + task.counters().active())
                    + " steps are being cancelled.");
        }
        Optional<Outbox.Delivery> outbox = OutboxTable.show(transaction, task.id());
        if (outbox.isPresent() && outbox.get().deliveredAt() == null) {
            String error = outbox.get().lastError();
            Instant due = outbox.get().dueAt();
            say("Its on_finish action is not done yet, after "
                    + (outbox.get().attempts() == 1 ? "1 attempt" : outbox.get().attempts() + " attempts")
                    + (error == null ? "" : " (" + error + ")")
                    + (due == null ? "; the broker has given up." : "; the next is at " + time(due) + "."));
        }
    }

    private String how() {
        return switch (task.state()) {
            case FAILED -> "failed";
            case CANCELLED -> "was cancelled";
            case OPEN, FINALIZING, COMPLETE -> "is " + task.state();
        };
    }

    private void open() throws SQLException {
        failures();
        active();
        waiting();
        end();
    }

    private void failures() throws SQLException {
        if (task.counters().failed() > 0) {
            List<Step> failed = StepTable.ofState(transaction, task.id(), "failed", NAMED);
            for (Step step : failed) {
                say("Step " + step.key() + " has failed: " + step.error());
            }
            others(task.counters().failed(), failed.size(), "step has failed.", "steps have failed.");
        }
    }

    private void active() throws SQLException {
        List<Step> active = StepTable.ofState(transaction, task.id(), "active", LOOKED_AT);
        List<Step> ready = in(active, StepState.READY);
        if (!ready.isEmpty()) {
            say(ready(ready, active.size() == LOOKED_AT));
        }
        List<Step> claimed = in(active, StepState.CLAIMED);
        for (Step step : claimed.subList(0, Math.min(NAMED, claimed.size()))) {
            say("Step " + step.key() + " has been claimed by " + step.holder() + " since "
                    + time(step.claimedAt())
                    + claimUntil(step.expiresAt()));
        }
        others(claimed.size(), Math.min(NAMED, claimed.size()), "step is claimed.", "steps are claimed.");
        List<Step> again = in(active, StepState.RETRY_WAIT);
        for (Step step : again.subList(0, Math.min(NAMED, again.size()))) {
            say("Step " + step.key() + " has failed " + step.attempts() + " of " + step.maxAttempts() + " times ("
                    + step.error() + ") and will be retried at " + time(step.notBefore()) + ".");
        }
        others(again.size(), Math.min(NAMED, again.size()), "step will be retried.", "steps will be retried.");
    }

    private void waiting() throws SQLException {
        if (task.counters().waiting() > 0) {
            List<Step> waiting = StepTable.ofState(transaction, task.id(), "waiting", NAMED);
            for (Step step : waiting) {
                List<String> open = StepTable.openDependencies(transaction, step.id(), NAMED);
                long more = step.openDependencies() - open.size();
                say("Step " + step.key() + " waits for " + String.join(", ", open)
                        + (more > 0 ? " and " + more + " more." : "."));
            }
            others(task.counters().waiting(), waiting.size(), "step is waiting.", "steps are waiting.");
        }
    }

    private void end() throws SQLException {
        boolean due = task.policy().due(task.counters());
        String processor = task.processor();
        if (processor != null) {
            say((due ? "It can end now; " : "It cannot end yet, though ") + processor + " holds its finalization"
                    + claimUntil(task.processorUntil()));
        } else if (due) {
            Instant since = task.dueSince();
            say(
                    (since == null ? "It can end; " : "It has been ready to end since " + time(since) + "; ")
                            + (task.finalizer() == Finalizer.BROKER
                                    ? "the broker ends it automatically within seconds."
                                    : "nobody has claimed its finalization. A processor must call claim_finalization, then finish_task."));
        }
    }

    private String claimUntil(@Nullable Instant until) throws SQLException {
        return until != null && until.isBefore(now())
                ? ", but that claim expired at " + time(until) + "; anyone may take it over."
                : ", until " + time(until) + " unless extended.";
    }

    private static List<Step> in(List<Step> steps, StepState state) {
        return steps.stream().filter(step -> step.state() == state).toList();
    }

    private void others(long all, long named, String one, String many) {
        if (all > named) {
            say((all - named) + " more " + (all - named == 1 ? one : many));
        }
    }

    /** @param more there may be further ones */
    private String ready(List<Step> ready, boolean more) {
        String first = ready.getFirst().key();
        String where = task.namespace().isEmpty() ? "" : " in namespace " + task.namespace();
        return ready.size() == 1 && !more
                ? "Step " + first + " is ready" + where + "; nobody has claimed it."
                : ready.size() + (more ? " or more" : "") + " steps are ready" + where + ", " + first
                        + " among them; nobody has claimed them.";
    }

    private Instant now() throws SQLException {
        return Objects.requireNonNull(TaskTable.instant(transaction.now()));
    }

    private static String time(@Nullable Instant time) {
        return time == null
                ? "an unknown time"
                : time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private void say(String sentence) {
        sentences.add(sentence);
    }
}
