package dev.holdfast.broker.dashboard.tasks;

import dev.holdfast.task.StepState;
import dev.holdfast.task.TaskState;

/** How tasks and steps look in each state. */
public record StateBadge(String icon, String look, String word) {
    public static StateBadge of(TaskState state) {
        return switch (state) {
            case OPEN -> new StateBadge("s-claimed", "sea", "running");
            case FINALIZING -> new StateBadge("s-claimed", "sea", "finalizing");
            case COMPLETE -> new StateBadge("s-closed", "ok", "complete");
            case FAILED -> new StateBadge("s-failed", "port", "failed");
            case CANCELLED -> new StateBadge("s-withdrawn", "dim", "cancelled");
        };
    }

    static StateBadge of(StepState state) {
        return switch (state) {
            case WAITING -> new StateBadge("s-pending", "off", "waiting");
            case READY -> new StateBadge("s-ready", "", "ready");
            case CLAIMED -> new StateBadge("s-claimed", "sea", "claimed");
            case RETRY_WAIT -> new StateBadge("s-retry", "brass", "retrying later");
            case SUCCEEDED -> new StateBadge("s-closed", "ok", "succeeded");
            case FAILED -> new StateBadge("s-failed", "port", "failed");
            case SKIPPED -> new StateBadge("s-withdrawn", "off", "skipped");
            case CANCELLED -> new StateBadge("s-withdrawn", "off", "cancelled");
        };
    }
}
