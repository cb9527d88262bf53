package dev.holdfast.broker.dashboard.agents;

import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.When;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** @param next where the next page of the list starts; null: there is none */
public record AgentsView(
        String heading,
        String lead,
        List<Row> rows,
        @Nullable String next) {
    /**
     * @param child started by the agent above it
     * @param quiet without a sign of life for too long
     * @param lease the one of its leases that ends first
     */
    public record Row(
            Actor actor,
            boolean child,
            String kind,
            String doing,
            String path,
            int holds,
            @Nullable Lease lease,
            When seen,
            boolean quiet,
            @Nullable When since) {}
}
