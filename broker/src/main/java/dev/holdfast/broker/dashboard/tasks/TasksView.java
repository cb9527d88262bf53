package dev.holdfast.broker.dashboard.tasks;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * @param state which are shown; empty: all
 * @param next where the list goes on; null: nowhere
 */
public record TasksView(
        String lead, String state, List<Row> rows, @Nullable String next, boolean none) {}
