package dev.holdfast.backup;

import dev.holdfast.review.pool.PoolReviewers;
import dev.holdfast.store.Transaction;
import dev.holdfast.token.RestoredTokens;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How to restore a backup.
 *
 * @param replace put an existing SQLite store aside; otherwise it is an error
 * @param revokeTokens leave no token valid
 */
public record RestoreOptions(boolean replace, boolean revokeTokens, Instant now) {
    /**
     * Ends in a restored store what is not true any more: its reviewers, and tokens.
     *
     * @param before the tokens that the replaced store knows; empty: there was none, or it could not be read
     */
    RestoredTokens settle(Transaction transaction, Optional<List<RestoredTokens.Known>> before) throws SQLException {
        PoolReviewers.endRestored(transaction);
        return RestoredTokens.settle(transaction, before, revokeTokens, now);
    }
}
