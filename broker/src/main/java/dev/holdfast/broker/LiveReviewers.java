package dev.holdfast.broker;

import dev.holdfast.agent.Agents;
import dev.holdfast.review.Reviewers;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Optional;

/** The reviewers a broker without a pool knows: agents and people with a live session come back. */
final class LiveReviewers implements Reviewers {
    @Override
    public Optional<Managed> managed(Transaction transaction, String reviewer) {
        return Optional.empty();
    }

    @Override
    public boolean comesBack(Transaction transaction, String reviewer) throws SQLException {
        return Agents.live(transaction, reviewer);
    }
}
