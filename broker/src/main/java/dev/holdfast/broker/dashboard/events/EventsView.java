package dev.holdfast.broker.dashboard.events;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * @param next the address of older events; null: there are none
 * @param problem what is wrong with the expression; null: nothing
 */
public record EventsView(
        String type,
        String resource,
        String actor,
        String expression,
        List<String> types,
        List<Line> lines,
        Histogram histogram,
        int searched,
        @Nullable String next,
        boolean filtered,
        boolean past,
        @Nullable String problem) {}
