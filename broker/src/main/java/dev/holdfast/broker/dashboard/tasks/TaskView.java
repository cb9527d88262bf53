package dev.holdfast.broker.dashboard.tasks;

import dev.holdfast.broker.dashboard.graph.Drawing;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.task.Attempt;
import dev.holdfast.task.Outbox;
import dev.holdfast.task.StepState;
import dev.holdfast.task.Task;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One task in full.
 *
 * @param how graph or list
 * @param graph its steps; null: shown as a list
 * @param more how many steps are not shown
 * @param chosen the step shown in detail; null: none
 */
public record TaskView(
        Task task,
        TaskRow row,
        String how,
        List<String> why,
        @Nullable Drawing graph,
        List<StepRow> steps,
        @Nullable String next,
        long more,
        Timeline timeline,
        @Nullable Chosen chosen,
        Outbox.@Nullable Delivery delivery,
        List<Attempt> attempts,
        boolean waits) {
    public record StepRow(
            String key, StateBadge standing, String holder, String dependsOn, String error, String path) {}

    /** @param fill the values for the dialog that takes the claim back; empty: nobody holds it */
    public record Chosen(
            String key,
            StepState state,
            StateBadge standing,
            String attempts,
            @Nullable Actor holder,
            long generation,
            @Nullable Lease lease,
            List<String> needs,
            List<String> neededBy,
            String input,
            String result,
            String error,
            List<Tried> tried,
            @Nullable When next,
            String fill) {}

    /**
     * An attempt at a step that has ended.
     *
     * @param why what went wrong; empty: nothing is known
     */
    public record Tried(String holder, long generation, String length, String how, String why) {}

    /** The state of the follow-up that runs when the task ends. */
    public String delivered() {
        Outbox.Delivery known = delivery;
        if (known == null) {
            return "waiting for the task to end";
        }
        if (known.deliveredAt() != null) {
            return "done";
        }
        return known.dueAt() == null ? "given up" : "retrying";
    }

    public boolean ended() {
        return task.state().ended();
    }
}
