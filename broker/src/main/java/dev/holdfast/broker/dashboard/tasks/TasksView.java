package dev.holdfast.broker.dashboard.tasks;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * @param state which tasks are shown; empty: all
 * @param next where the next page of the list starts; null: there is none
 */
public record TasksView(
        String lead,
        String state,
        List<TaskRow> rows,
        @Nullable String next,
        boolean none) {}
