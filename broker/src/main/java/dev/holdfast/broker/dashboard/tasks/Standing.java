package dev.holdfast.broker.dashboard.tasks;

import dev.holdfast.task.StepState;
import dev.holdfast.task.TaskState;

/** How tasks and steps look in each state. */
public record Standing(String icon, String look, String word) {
    public static Standing of(TaskState state) {
        return switch (state) {
            case OPEN -> new Standing("s-claimed", "sea", "running");
            case FINALIZING -> new Standing("s-claimed", "sea", "finalizing");
            case COMPLETE -> new Standing("s-closed", "ok", "complete");
            case FAILED -> new Standing("s-failed", "port", "failed");
            case CANCELLED -> new Standing("s-withdrawn", "dim", "cancelled");
        };
    }

    static Standing of(StepState state) {
        return switch (state) {
            case WAITING -> new Standing("s-pending", "off", "waiting");
            case READY -> new Standing("s-ready", "", "ready");
            case CLAIMED -> new Standing("s-claimed", "sea", "claimed");
            case RETRY_WAIT -> new Standing("s-retry", "brass", "retrying later");
            case SUCCEEDED -> new Standing("s-closed", "ok", "succeeded");
            case FAILED -> new Standing("s-failed", "port", "failed");
            case SKIPPED -> new Standing("s-withdrawn", "off", "skipped");
            case CANCELLED -> new Standing("s-withdrawn", "off", "cancelled");
        };
    }
}
