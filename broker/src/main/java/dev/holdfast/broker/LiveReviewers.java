package dev.holdfast.broker;

import dev.holdfast.agent.Agents;
import dev.holdfast.review.PoolReviewers;
import dev.holdfast.review.Reviewers;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** The reviewers a broker knows: those of pools, and the agents and people who have a live session. */
final class LiveReviewers implements Reviewers {
    private final PoolReviewers pool;

    LiveReviewers(PoolReviewers pool) {
        this.pool = pool;
    }

    @Override
    public Optional<Managed> managed(Transaction transaction, String reviewer) throws SQLException {
        return pool.managed(transaction, reviewer);
    }

    @Override
    public boolean comesBack(Transaction transaction, String reviewer) throws SQLException {
        return pool.comesBack(transaction, reviewer) || Agents.live(transaction, reviewer);
    }

    @Override
    public void claimed(Transaction transaction, String reviewer) throws SQLException {
        pool.claimed(transaction, reviewer);
    }

    @Override
    public void judged(Transaction transaction, String reviewer, boolean approved, Duration took) throws SQLException {
        pool.judged(transaction, reviewer, approved, took);
    }
}
