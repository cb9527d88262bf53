package dev.holdfast.broker.dashboard.agents;

import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.When;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** @param next where the list goes on; null: nowhere */
public record AgentsView(
        String heading,
        String lead,
        List<Row> rows,
        @Nullable String next) {
    /**
     * @param child it was started by the one above
     * @param quiet it has not been heard of for long
     * @param lease the shortest of those it has
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
