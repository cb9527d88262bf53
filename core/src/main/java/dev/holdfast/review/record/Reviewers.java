package dev.holdfast.review.record;

import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known about reviewers: those of a pool, and others with a live session. Called inside transactions. */
public interface Reviewers {
    /** Everybody may review; nobody is expected to come back. */
    Reviewers UNKNOWN = new Reviewers() {
        @Override
        public Optional<Managed> managed(Transaction transaction, String reviewer) {
            return Optional.empty();
        }

        @Override
        public boolean comesBack(Transaction transaction, String reviewer) {
            return false;
        }
    };

    /**
     * A reviewer that the broker runs.
     *
     * @param state active, draining or terminated
     * @param project the only project it reviews; null: any
     * @param folder it reviews only projects whose files are in this folder; null: any folder
     */
    record Managed(
            String state,
            @Nullable String project,
            @Nullable String folder) {
        public boolean active() {
            return state.equals("active");
        }

        public boolean alive() {
            return !state.equals("terminated");
        }
    }

    Optional<Managed> managed(Transaction transaction, String reviewer) throws SQLException;

    /**
     * The folder that now has this project's files, in the form of {@link Managed#folder}. Reads the disk, so it is
     * never called inside a transaction.
     */
    default String folder(String projectKey) {
        return "";
    }

    /** Whether it is alive and likely to continue what it began, so that a review is worth reserving for it. */
    boolean comesBack(Transaction transaction, String reviewer) throws SQLException;

    /**
     * Called when a reviewer has claimed a review, in this transaction.
     *
     * @throws RefusedException if it may not claim any more now; the transaction must not commit
     */
    default void claimed(Transaction transaction, String reviewer) throws SQLException {}

    /** Called when a reviewer has judged a review that it had held for this long. */
    default void judged(Transaction transaction, String reviewer, boolean approved, Duration took)
            throws SQLException {}

    /** Called when a reviewer has commented on a review that it holds. */
    default void spoke(Transaction transaction, String reviewer) throws SQLException {}

    /** Whether it may still end what it holds: a reviewer of a live broker, or somebody with a live session. */
    public default boolean alive(Transaction transaction, String reviewer) throws SQLException {
        Optional<Managed> managed = managed(transaction, reviewer);
        return managed.isPresent() ? managed.get().alive() : comesBack(transaction, reviewer);
    }
}
