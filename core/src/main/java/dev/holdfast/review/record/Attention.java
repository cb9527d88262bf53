package dev.holdfast.review.record;

import dev.holdfast.store.Row;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is, and since when. Derived from what has happened, not stored:
 *
 * <ol>
 *   <li>A closed or withdrawn review waits for nobody.
 *   <li>An approved review, or one with changes requested, waits for its proposer since that verdict.
 *   <li>So does one whose reviewer, since claiming it, has asked something that is unanswered, or suggested a
 *       counter-patch that is undecided.
 *   <li>Any other waits for a reviewer since the proposer last did something: submitted the content under review, or
 *       answered. Whether somebody has claimed it meanwhile makes no difference to the proposer's wait.
 * </ol>
 *
 * @param who the reviewer that has it or is to have it, or the proposer's name or agent type; null: anybody, or nobody
 */
public record Attention(Turn turn, @Nullable String who, Instant since) {
    /** Who has to act next. */
    public enum Turn {
        PROPOSER,
        REVIEWER,
        NOBODY;

        private final String word = name().toLowerCase(Locale.ROOT);

        @Override
        public String toString() {
            return word;
        }
    }

    private static final String ASKED = """
            (SELECT max(q.at) FROM (
                SELECT m.at FROM messages m WHERE m.review_id = v.id AND m.sender_role = 'reviewer'
                    AND m.seq = (SELECT max(l.seq) FROM messages l WHERE l.review_id = v.id)
                UNION ALL
                SELECT d.at FROM verdicts d WHERE d.review_id = v.id AND d.round = v.round
                    AND d.counter_patch_status = 'pending') q
            WHERE q.at >= r.acquired_at)""";

    private static final String JUDGED = """
            (SELECT d.at FROM verdicts d WHERE d.review_id = v.id AND d.verdict <> 'comment' ORDER BY d.id DESC LIMIT 1)""";

    private static final String HANDED = """
            (SELECT max(q.at) FROM (
                SELECT x.created_at AS at FROM revisions x
                    WHERE x.review_id = v.id AND x.round = v.round AND x.number = v.revision_number
                UNION ALL
                SELECT m.at FROM messages m WHERE m.review_id = v.id AND m.sender_role = 'proposer'
                    AND m.seq = (SELECT max(l.seq) FROM messages l WHERE l.review_id = v.id)) q)""";

    /** The start of the wait, in terms of the tables that {@link ReviewTable#VIEW} selects from. */
    public static final String SINCE = """
            CASE WHEN v.status IN ('closed', 'withdrawn') THEN v.updated_at
                WHEN v.status IN ('approved', 'changes_requested') THEN coalesce(""" + JUDGED + """
            , v.updated_at)
                ELSE coalesce(CASE WHEN r.state = 'held' THEN\s""" + ASKED + " END, " + HANDED + """
            , v.created_at) END""";

    /** The columns {@code turn} and {@code turn_since}, in terms of {@link ReviewTable#VIEW}. */
    static final String COLUMNS = """
            CASE WHEN v.status IN ('closed', 'withdrawn') THEN 'nobody'
                WHEN v.status IN ('approved', 'changes_requested') THEN 'proposer'
                WHEN r.state = 'held' AND\s""" + ASKED + """
                 IS NOT NULL THEN 'proposer'
                ELSE 'reviewer' END AS turn,
            """ + SINCE + " AS turn_since";

    static Attention read(Row row, @Nullable String reviewer) throws SQLException {
        Turn turn = Turn.valueOf(row.text("turn").toUpperCase(Locale.ROOT));
        String type = row.text("agent_type"); // all that is known if nobody said who proposes
        String who = switch (turn) {
            case PROPOSER -> Objects.requireNonNullElseGet(row.textOrNull("proposer"), () -> type);
            case REVIEWER -> reviewer;
            case NOBODY -> null;
        };
        return new Attention(turn, who, ReviewTable.instant(row.time("turn_since")));
    }
}
