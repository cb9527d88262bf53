package dev.holdfast.review.pool;

import dev.holdfast.event.Events;
import dev.holdfast.review.record.Metadata;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The events about the pool's reviewers. */
record ReviewerEvents(Events events) {
    /** The reason for ending a reviewer without giving it time to finish what it has. */
    static final String FORCE = "force";

    private static final String ACTOR = "pool-manager";

    /** A completed drain is recorded as such, with its reason and what ended the reviewer's last claim. */
    static Map<String, @Nullable Object> end(
            Transaction transaction, String id, String reason, @Nullable Integer exitCode) throws SQLException {
        PoolReviewer ended = ReviewerTable.find(transaction, id).orElseThrow();
        PoolReviewer.Draining draining = ended.draining();
        Map<String, @Nullable Object> metadata = Metadata.of("reviewer_id", id, "reason", reason);
        if (draining != null) {
            metadata.put("drain_reason", draining.reason());
            if (reason.equals(draining.reason()) && !reason.equals(FORCE)) {
                metadata.put("reason", "drain_complete");
                metadata.put("trigger", DrainedClaims.trigger(transaction, id));
            }
        }
        metadata.put("reviews_completed", ended.work().completed());
        metadata.put("exit_code", exitCode);
        return metadata;
    }

    void append(Transaction transaction, String type, String id, Map<String, @Nullable Object> metadata)
            throws SQLException {
        append(transaction, type, id, ACTOR, metadata);
    }

    /** The end of a reviewer has been decided. The metadata's reason is the pool's word, "why" is what a person wrote. */
    void drainStart(Transaction transaction, String id, EndRequest request, Map<String, @Nullable Object> metadata)
            throws SQLException {
        if (request.why() != null) {
            metadata.put("why", request.why());
        }
        append(transaction, "reviewer_drain_start", id, Objects.requireNonNullElse(request.by(), ACTOR), metadata);
    }

    private void append(
            Transaction transaction, String type, String id, String actor, Map<String, @Nullable Object> metadata)
            throws SQLException {
        events.append(
                transaction,
                transaction.now(),
                type,
                "reviewer:" + id,
                actor,
                null,
                JsonMapper.shared().writeValueAsString(Map.of("metadata", metadata)));
    }
}
