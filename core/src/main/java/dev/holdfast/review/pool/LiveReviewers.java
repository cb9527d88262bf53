package dev.holdfast.review.pool;

import dev.holdfast.agent.Agents;
import dev.holdfast.review.record.Reviewers;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * The reviewers that a broker knows: those of pools, and agents and people with a live session. A session that has been
 * silent for as long as a review's lease is not waited for: it may have died.
 */
public final class LiveReviewers implements Reviewers {
    private final PoolReviewers pool;
    private final long patience;

    /** @param lease the default lease of a review */
    public LiveReviewers(PoolReviewers pool, Duration lease) {
        this.pool = pool;
        patience = lease.toNanos() / 1_000;
    }

    @Override
    public Optional<Managed> managed(Transaction transaction, String reviewer) throws SQLException {
        return pool.managed(transaction, reviewer);
    }

    @Override
    public String folder(String projectKey) {
        return pool.folder(projectKey);
    }

    @Override
    public boolean comesBack(Transaction transaction, String reviewer) throws SQLException {
        return pool.comesBack(transaction, reviewer)
                || Agents.heardSince(transaction, reviewer, transaction.now() - patience);
    }

    /** A silent session still counts as alive: it may yet end its claims, which have leases of their own. */
    @Override
    public boolean alive(Transaction transaction, String reviewer) throws SQLException {
        Optional<Managed> managed = managed(transaction, reviewer);
        return managed.isPresent() ? managed.get().alive() : Agents.live(transaction, reviewer);
    }

    @Override
    public void claimed(Transaction transaction, String reviewer) throws SQLException {
        pool.claimed(transaction, reviewer);
    }

    @Override
    public void judged(Transaction transaction, String reviewer, boolean approved, Duration took) throws SQLException {
        pool.judged(transaction, reviewer, approved, took);
    }

    @Override
    public void spoke(Transaction transaction, String reviewer) throws SQLException {
        pool.spoke(transaction, reviewer);
    }
}
