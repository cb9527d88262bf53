package dev.holdfast.review.discussion;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.approval.Independence;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Excerpt;
import dev.holdfast.review.record.Metadata;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Reopening;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Messages between proposer and reviewer, in turns. */
public record Discussion(ReviewChanges changes, Reopening reopening, Independence independence, ReviewLimits limits) {
    private static final Set<String> ROLES = Set.of("proposer", "reviewer");
    private static final int PREVIEW = 100;

    private static final Sql ADD = Sql.of("""
            INSERT INTO messages (id, review_id, sender_role, round, body, metadata, at)
            VALUES (:id, :review_id, :sender_role, :round, :body, :metadata, :now)
            """);

    private static final Sql LAST =
            Sql.of("SELECT * FROM messages WHERE review_id = :review_id ORDER BY seq DESC LIMIT 1");

    /** How many bytes of messages are read together; two sides can write any number of long ones. */
    private static final long MOST_AT_ONCE = 8 << 20;

    private static final Sql ALL = Sql.of(cut("review_id = :review_id"));
    private static final Sql OF_ROUND = Sql.of(cut("review_id = :review_id AND round = :round"));

    private static final Sql NEWEST = Sql.of("""
            SELECT * FROM messages WHERE review_id = :review_id AND seq < :before ORDER BY seq DESC LIMIT :max
            """);

    /** Messages, without body and metadata from where they are too much. */
    private static String cut(String which) {
        return """
                SELECT id, seq, sender_role, round, at, CASE WHEN upto - size < :most THEN body END AS body,
                    CASE WHEN upto - size < :most THEN metadata END AS metadata
                FROM (SELECT page.*, sum(size) OVER (ORDER BY seq) AS upto
                    FROM (SELECT messages.*, octet_length(body) + coalesce(octet_length(metadata), 0) AS size FROM messages
                        WHERE WHICH AND seq > :after ORDER BY seq LIMIT :max) page) sized
                ORDER BY seq
                """.replace("WHICH", which);
    }

    /** Posts a message; a proposer that answers a request for changes resubmits the review, in the same round. */
    public Message add(String id, String role, String body, @Nullable String metadata, Caller by) {
        if (!ROLES.contains(role)) {
            throw new RefusedException(
                    RefusalCode.INVALID, "Invalid sender_role: '" + role + "'. Must be 'proposer' or 'reviewer'.");
        }
        limits.text("body", body);
        limits.text("metadata", metadata);
        String messageId = changes.newId();
        return changes.on(id, locked -> {
            ReviewStatus status = locked.status();
            if (role.equals("proposer")) {
                independence.checkIsProposer(locked.transaction(), locked.review(), by, "write as its proposer");
            }
            checkAcceptsMessages(status);
            checkTurn(locked, role);
            locked.transaction()
                    .update(
                            ADD,
                            p -> p.text("id", messageId)
                                    .text("review_id", id)
                                    .text("sender_role", role)
                                    .number("round", locked.review().round)
                                    .text("body", body)
                                    .text("metadata", metadata)
                                    .time("now", locked.now()));
            changes.record(
                    locked,
                    ReviewChanges.event(
                            "message_sent", role, null, null, sent(role, by, messageId, locked.review().round, body)));
            if (status == ReviewStatus.CHANGES_REQUESTED && role.equals("proposer")) {
                reopening.reopen(locked, "proposer_message", by.name());
            }
            locked.save();
            return last(locked).orElseThrow();
        });
    }

    /** Records the author besides the role, in the same field as others of that role. */
    private static Map<String, @Nullable Object> sent(
            String role, Caller by, String messageId, int round, String body) {
        Map<String, @Nullable Object> metadata =
                Metadata.of("round", round, "body_preview", Excerpt.of(body, PREVIEW), AuditEvent.MESSAGE, messageId);
        if (by.name() != null) {
            metadata.put(role.equals("proposer") ? "proposer" : "reviewer_id", by.name());
        }
        return metadata;
    }

    /** Whether the two sides can write to each other. */
    public static boolean isOpen(ReviewStatus status) {
        return switch (status) {
            case CLAIMED, IN_REVIEW, CHANGES_REQUESTED, APPROVED -> true;
            case PENDING, CLOSED, WITHDRAWN -> false;
        };
    }

    private static void checkAcceptsMessages(ReviewStatus status) {
        if (!isOpen(status)) {
            throw new RefusedException(
                    RefusalCode.BAD_STATE,
                    "Cannot add message to review in '" + status
                            + "' state. Messages are only valid on claimed, in_review, changes_requested, or approved"
                            + " reviews.");
        }
    }

    private static void checkTurn(ReviewChanges.Locked locked, String role) throws SQLException {
        if (last(locked).filter(message -> message.senderRole().equals(role)).isPresent()) {
            throw new RefusedException(
                    RefusalCode.BAD_STATE,
                    "Turn violation: '" + role
                            + "' sent the last message. Messages must alternate between proposer and reviewer.");
        }
    }

    private static Optional<Message> last(ReviewChanges.Locked locked) throws SQLException {
        return locked.transaction().first(LAST, p -> p.text("review_id", locked.review().id), Discussion::read);
    }

    /** The messages of a review, or of one round, in the order they were sent; fewer than asked for if they are long. */
    public Page<Message> read(String id, @Nullable Long round, Page.Request asked) {
        long after = asked.position(0, 0)[1];
        List<Optional<Message>> found = changes.store().read(transaction -> {
            ReviewTable.mustExist(transaction, id);
            return transaction.list(
                    round == null ? ALL : OF_ROUND,
                    p -> {
                        p.text("review_id", id)
                                .number("after", after)
                                .number("max", asked.oneMore())
                                .number("most", MOST_AT_ONCE);
                        if (round != null) {
                            p.number("round", round);
                        }
                    },
                    row -> row.textOrNull("body") == null ? Optional.empty() : Optional.of(read(row)));
        });
        List<Message> shown = found.stream()
                .takeWhile(Optional::isPresent)
                .flatMap(Optional::stream)
                .toList();
        return shown.size() < found.size()
                ? new Page<>(shown, cursor(shown.getLast()))
                : Page.of(shown, asked, Discussion::cursor);
    }

    private static String cursor(Message last) {
        return Long.toString(last.seq());
    }

    /** The newest messages of a review before the one with this {@link Message#seq}, newest first. */
    public List<Message> newest(String id, long before, int max) {
        return changes.store()
                .read(transaction -> transaction.list(
                        NEWEST,
                        p -> p.text("review_id", id).number("before", before).number("max", max),
                        Discussion::read));
    }

    private static Message read(Row row) throws SQLException {
        return new Message(
                row.text("id"),
                row.text("sender_role"),
                (int) row.number("round"),
                row.text("body"),
                row.textOrNull("metadata"),
                ReviewTable.instant(row.time("at")),
                row.number("seq"));
    }
}
