package dev.holdfast.review.record;

import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who is known of the reviewers: those of a pool, and others who have a live session. Asked inside transactions. */
public interface Reviewers {
    /** Everybody may review; nobody is known to come back. */
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
     * @param folder it reviews only the projects whose files are in this folder; null: wherever they are
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
     * Where the files of this project are now, as {@link Managed#folder} names folders. It looks at the disk, and is never
     * asked inside a transaction.
     */
    default String folder(String projectKey) {
        return "";
    }

    /** Alive and likely to go on with what it has begun: worth keeping a review for. */
    boolean comesBack(Transaction transaction, String reviewer) throws SQLException;

    /**
     * A reviewer has taken a review, in this transaction.
     *
     * @throws RefusedException when it may not take any more now; the transaction must not commit
     */
    default void claimed(Transaction transaction, String reviewer) throws SQLException {}

    /** A reviewer has judged a review that it had held for so long. */
    default void judged(Transaction transaction, String reviewer, boolean approved, Duration took)
            throws SQLException {}

    /** A reviewer has said something on a review that it holds. */
    default void spoke(Transaction transaction, String reviewer) throws SQLException {}

    /** Still there to end what it holds: a reviewer of a living broker, or somebody with a live session. */
    public default boolean alive(Transaction transaction, String reviewer) throws SQLException {
        Optional<Managed> managed = managed(transaction, reviewer);
        return managed.isPresent() ? managed.get().alive() : comesBack(transaction, reviewer);
    }
}
