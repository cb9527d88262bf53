package dev.holdfast.review.record;

import dev.holdfast.claim.ClaimSql;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.Engine;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Parameters;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The SQL of {@code reviews}, row by row. The resource row is the lock. */
public final class ReviewTable {
    /** What {@link #VIEW} is selected from. */
    public static final String FROM = "\nFROM reviews v" + ClaimSql.join(Kind.REVIEW, "v.id", "r") + """
                LEFT JOIN proposers p ON p.review_id = v.id AND p.round = v.round
            """;

    /** Everything that a {@link Review} has, with the claim from the resource row. */
    public static final String VIEW = """
            SELECT v.*, r.state AS claim_state, r.holder, r.generation, r.acquired_at,
                p.agent AS proposer, p.known_by AS proposer_known_by, p.engine AS proposer_engine, p.kin AS proposer_kin,
                (SELECT max(e.id) FROM events e WHERE e.resource = r.key) AS version,
                (SELECT count(*) FROM findings f
                    WHERE f.review_id = v.id AND f.settled IS NULL AND f.place <> 'gone') AS open_findings,
                (SELECT count(*) FROM findings f WHERE f.review_id = v.id AND f.settled IS NULL AND f.place <> 'gone'
                    AND f.severity = 'must_fix') AS blocking_findings,
            """ + Attention.COLUMNS + FROM;

    /** The status that users see, in terms of {@link #VIEW}. */
    static final String SHOWN_STATUS =
            "CASE WHEN v.status = 'pending' AND r.state = 'held' THEN 'claimed' ELSE v.status END";

    private static final Sql FIND = Sql.of("SELECT * FROM reviews WHERE id = :id");
    private static final Sql SHOW = Sql.of(VIEW + " WHERE v.id = :id");

    private static final Sql OPEN = Sql.of(VIEW + """
             WHERE v.project_key = :project AND v.revision = :revision AND v.status NOT IN ('closed', 'withdrawn')
            ORDER BY v.seq DESC LIMIT 1
            """);

    private static final Sql LOCK_CONTENT = Sql.of(
            "SELECT 1 AS locked FROM (SELECT pg_advisory_xact_lock(hashtext('content'), hashtext(:revision))) l");

    private static final Sql INSERT = Sql.of("""
            INSERT INTO reviews (id, project, project_key, category, intent, agent_type, agent_role, phase, plan, task,
                priority, status, revision, skip_diff_validation, last_call, created_at, updated_at)
            VALUES (:id, :project, :project_key, :category, :intent, :agent_type, :agent_role, :phase, :plan, :task,
                :priority, 'pending', :revision, :skip_diff_validation, :last_call, :now, :now)
            """);

    /** SQLite rewrites every index that has one of the named columns, so each change names only its own. */
    private static final String UPDATE_STANDING = """
            UPDATE reviews SET reserved_for = :reserved_for, unserved_generation = :unserved_generation,
                verdict_reason = :verdict_reason, verdict_by = :verdict_by, last_call = :last_call, updated_at = :now""";

    private static final String UPDATE_STATUS = UPDATE_STANDING + ", status = :status";

    private static final String UPDATE_CONTENT = UPDATE_STATUS + """
            , project = :project, project_key = :project_key, priority = :priority, intent = :intent, round = :round,
                revision = :revision, revision_number = :revision_number, skip_diff_validation = :skip_diff_validation""";

    private static final Sql STANDING = Sql.of(UPDATE_STANDING + " WHERE id = :id");
    private static final Sql STATUS = Sql.of(UPDATE_STATUS + " WHERE id = :id");
    private static final Sql CONTENT = Sql.of(UPDATE_CONTENT + " WHERE id = :id");

    private static final Sql TOUCH = Sql.of("UPDATE reviews SET updated_at = :now WHERE id = :id");

    private ReviewTable() {}

    /** Records that its claim changed, which its own row does not show. */
    public static void touch(Transaction transaction, String id, long now) throws SQLException {
        transaction.change(TOUCH, p -> p.time("now", now).text("id", id));
    }

    public static Optional<ReviewRow> find(Transaction transaction, String id) throws SQLException {
        return ask(transaction, id).get();
    }

    static Pending<Optional<ReviewRow>> ask(Transaction transaction, String id) throws SQLException {
        return transaction.askFirst(FIND, p -> p.text("id", id), ReviewTable::row);
    }

    /** @throws RefusedException if there is no such review */
    public static void mustExist(Transaction transaction, String id) throws SQLException {
        if (find(transaction, id).isEmpty()) {
            throw ReviewChanges.notFound(id);
        }
    }

    public static Optional<Review> show(Transaction transaction, String id) throws SQLException {
        return transaction.first(SHOW, p -> p.text("id", id), ReviewTable::review);
    }

    /**
     * The newest review that has this content and is not closed or withdrawn; until the transaction ends, nobody can
     * add another.
     */
    public static Optional<Review> open(Transaction transaction, String projectKey, String revision)
            throws SQLException {
        if (transaction.engine() == Engine.POSTGRES) { // SQLite has one writer
            transaction.list(LOCK_CONTENT, p -> p.text("revision", revision), _ -> revision);
        }
        return transaction.first(
                OPEN, p -> p.text("project", projectKey).text("revision", revision), ReviewTable::review);
    }

    public static void insert(Transaction transaction, String id, Proposal made, String revision, String call, long now)
            throws SQLException {
        transaction.change(
                INSERT,
                p -> proposed(p, id, made)
                        .number("priority", made.urgency().rank())
                        .text("revision", revision)
                        .text("last_call", call)
                        .time("now", now));
    }

    /** Binds the fields that a review takes from its proposal. */
    public static Parameters proposed(Parameters p, String id, Proposal made) throws SQLException {
        return p.text("id", id)
                .text("project", made.project())
                .text("project_key", Project.key(made.project()))
                .text("category", made.category())
                .text("intent", made.intent())
                .text("agent_type", made.agentType())
                .text("agent_role", made.agentRole())
                .text("phase", made.phase())
                .text("plan", made.plan())
                .text("task", made.task())
                .flag("skip_diff_validation", made.skipDiffValidation());
    }

    static void update(Transaction transaction, ReviewRow row, long now) throws SQLException {
        if (row.hasNewContent()) {
            transaction.change(CONTENT, p -> content(status(standing(p, row, now), row), row));
        } else if (row.hasNewStatus()) {
            transaction.change(STATUS, p -> status(standing(p, row, now), row));
        } else {
            transaction.change(STANDING, p -> standing(p, row, now));
        }
        row.written();
    }

    private static Parameters standing(Parameters p, ReviewRow row, long now) {
        return p.text("id", row.id)
                .text("reserved_for", row.reservedFor)
                .number("unserved_generation", row.unservedGeneration)
                .text("verdict_reason", row.verdictReason)
                .text("verdict_by", row.verdictBy)
                .text("last_call", row.lastCall)
                .time("now", now);
    }

    private static Parameters status(Parameters p, ReviewRow row) {
        return p.text("status", row.stored.toString());
    }

    private static void content(Parameters p, ReviewRow row) {
        p.text("project", row.project)
                .text("project_key", Project.key(row.project))
                .number("priority", row.priority.rank())
                .text("intent", row.intent)
                .number("round", row.round)
                .text("revision", row.revision)
                .number("revision_number", row.revisionNumber)
                .flag("skip_diff_validation", row.skipDiffValidation);
    }

    private static ReviewRow row(Row read) throws SQLException {
        ReviewRow row = new ReviewRow(
                read.text("id"),
                read.text("agent_type"),
                Priority.ofRank(read.number("priority")),
                read.text("intent"),
                ReviewStatus.of(read.text("status")),
                (int) read.number("round"),
                (int) read.number("revision_number"),
                read.text("revision"),
                read.text("last_call"));
        row.project = read.textOrNull("project");
        row.category = read.textOrNull("category");
        row.reservedFor = read.textOrNull("reserved_for");
        row.unservedGeneration = read.numberOrNull("unserved_generation");
        row.skipDiffValidation = read.flag("skip_diff_validation");
        row.verdictReason = read.textOrNull("verdict_reason");
        row.verdictBy = read.textOrNull("verdict_by");
        return row;
    }

    public static Review review(Row row) throws SQLException {
        ReviewStatus stored = ReviewStatus.of(row.text("status"));
        boolean held = row.text("claim_state").equals("held");
        Long acquired = row.timeOrNull("acquired_at");
        Long version = row.numberOrNull("version");
        String claimedBy = claimedBy(row, held, stored);
        return new Review(
                row.text("id"),
                held && stored == ReviewStatus.PENDING ? ReviewStatus.CLAIMED : stored,
                row.text("intent"),
                row.text("agent_type"),
                row.text("agent_role"),
                row.text("phase"),
                ProposerTable.shown(row),
                row.textOrNull("plan"),
                row.textOrNull("task"),
                row.textOrNull("project"),
                row.textOrNull("category"),
                Priority.ofRank(row.number("priority")).toString(),
                (int) row.number("round"),
                row.text("revision"),
                claimedBy,
                row.textOrNull("verdict_reason"),
                row.number("generation"),
                acquired == null ? null : instant(acquired),
                instant(row.time("created_at")),
                instant(row.time("updated_at")),
                version == null ? 0 : version,
                Attention.read(row, claimedBy),
                (int) row.number("open_findings"),
                (int) row.number("blocking_findings"));
    }

    private static @Nullable String claimedBy(Row row, boolean held, ReviewStatus stored) throws SQLException {
        if (held) {
            return row.textOrNull("holder");
        }
        return row.textOrNull(stored == ReviewStatus.PENDING ? "reserved_for" : "verdict_by");
    }

    public static Instant instant(long micros) {
        return LeaseClock.instant(micros);
    }
}
