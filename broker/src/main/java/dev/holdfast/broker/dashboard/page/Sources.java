package dev.holdfast.broker.dashboard.page;

import dev.holdfast.agent.Agents;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.git.BaseFiles;
import dev.holdfast.broker.pool.ReviewerPool;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.pool.PoolReviewers;
import dev.holdfast.store.Store;
import dev.holdfast.task.Tasks;
import dev.holdfast.work.WorkItems;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What pages read from. They change nothing here: whatever a person does goes through the verbs, as for everybody else.
 *
 * @param store for page classes that need a query of their own; never for the table of claims
 * @param pool null: the broker runs no reviewers
 * @param files the content that a change was made from, where that is known
 */
public record Sources(
        Config config,
        Store store,
        Claims claims,
        Agents agents,
        Reviews reviews,
        PoolReviewers reviewers,
        @Nullable ReviewerPool pool,
        WorkItems work,
        Tasks tasks,
        BaseFiles files) {
    private static final int MIN = 4;
    private static final int WHOLE = 36;

    /** Completes the beginning of an id if only one id begins that way; a task is found by its finalization. */
    public String whole(Kind kind, String id) {
        if (id.length() < MIN || id.length() >= WHOLE) {
            return id;
        }
        List<Resource> found = claims.beginning(new Resource(kind, id), 2);
        return found.size() == 1 ? found.getFirst().id() : id;
    }
}
