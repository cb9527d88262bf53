package dev.holdfast.review.pool;

import dev.holdfast.claim.ClaimSql;
import dev.holdfast.claim.Kind;
import dev.holdfast.review.record.Project;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The SQL of {@code reviewers}. A row is never deleted; once terminated it does not change. */
final class ReviewerTable {
    private static final Sql INSERT = Sql.of("""
            INSERT INTO reviewers (id, display_name, session_token, broker, machine, broker_pid, broker_started,
                project, project_key, folder, workspace, token_hash, state, spawned_at, last_active_at)
            VALUES (:id, :display_name, :session_token, :broker, :machine, :broker_pid, :broker_started,
                :project, :project_key, :folder, :workspace, :token_hash, 'active', :now, :now)
            """);

    private static final Sql STARTED =
            Sql.of("UPDATE reviewers SET pid = :pid, started = :started WHERE id = :id AND state <> 'terminated'");

    private static final Sql DRAIN = Sql.of("""
            UPDATE reviewers SET state = 'draining', draining_at = :now, drain_reason = :reason
            WHERE id = :id AND state = 'active'
            """);

    private static final Sql FORCE = Sql.of("""
            UPDATE reviewers SET state = 'draining', draining_at = :now, drain_reason = 'force'
            WHERE id = :id AND state <> 'terminated'
            """);

    private static final Sql TERMINATE = Sql.of("""
            UPDATE reviewers SET state = 'terminated', terminated_at = :now, end_reason = :reason,
                exit_code = :exit_code, last_output = :last_output, token_hash = NULL
            WHERE id = :id AND state <> 'terminated'
            """);

    private static final Sql TERMINATE_ALL = Sql.of("""
            UPDATE reviewers SET state = 'terminated', terminated_at = :now, end_reason = :reason, token_hash = NULL
            WHERE state <> 'terminated'
            """);

    private static final Sql CONTACT =
            Sql.of("UPDATE reviewers SET contact_at = coalesce(contact_at, :now) WHERE id = :id");

    private static final Sql ACTIVE = Sql.of("""
            UPDATE reviewers SET contact_at = coalesce(contact_at, :now), last_active_at = :now WHERE id = :id
            """);

    private static final Sql CLAIMED = Sql.of("""
            UPDATE reviewers SET contact_at = coalesce(contact_at, :now), last_active_at = :now, claims = claims + 1
            WHERE id = :id AND state = 'active'
            """);

    private static final Sql JUDGED = Sql.of("""
            UPDATE reviewers SET last_active_at = :now, reviews_completed = reviews_completed + 1,
                review_micros = review_micros + :micros, approvals = approvals + :approvals,
                rejections = rejections + :rejections
            WHERE id = :id
            """);

    private static final Sql FIND = Sql.of("SELECT * FROM reviewers WHERE id = :id");

    private static final Sql OF_TOKEN =
            Sql.of("SELECT id FROM reviewers WHERE token_hash = :token_hash AND state <> 'terminated'");

    private static final Sql OF_SESSION =
            Sql.of("SELECT * FROM reviewers WHERE session_token = :session ORDER BY spawned_at, id");

    private static final Sql LIVE = Sql.of("""
            SELECT v.*,
            """ + ClaimSql.heldCount(Kind.REVIEW, "v.id") + """
                AS held,
                (SELECT count(*) FROM displacements d WHERE d.holder = v.id AND d.reason IN ('expired', 'overdue')) AS lost
            FROM reviewers v WHERE v.state <> 'terminated' ORDER BY v.spawned_at, v.id
            """);

    private static final Sql OF_DEAD_BROKERS = Sql.of("""
            SELECT v.* FROM reviewers v WHERE v.state <> 'terminated' AND NOT
            """ + ClaimSql.isHeldAfter(Kind.BROKER, "v.broker", ":now"));

    private static final Sql ENDED_BUT_HOLDING = Sql.of("""
            SELECT v.id FROM reviewers v WHERE v.state = 'terminated' AND v.spawned_at > :since AND
            """ + ClaimSql.holds(Kind.REVIEW, "v.id"));

    private ReviewerTable() {}

    static void insert(Transaction transaction, PoolReviewer.New made, long now) throws SQLException {
        transaction.change(
                INSERT,
                p -> p.text("id", made.id())
                        .text("display_name", made.displayName())
                        .text("session_token", made.session())
                        .text("broker", made.broker())
                        .text("machine", made.host().machine())
                        .number("broker_pid", made.host().broker().pid())
                        .number("broker_started", made.host().broker().startedAt())
                        .text("project", made.project())
                        .text("project_key", Project.key(made.project()))
                        .text("folder", made.folder())
                        .text("workspace", made.workspace())
                        .text("token_hash", made.tokenHash())
                        .time("now", now));
    }

    static boolean started(Transaction transaction, String id, PoolReviewer.Started process) throws SQLException {
        return transaction.update(
                        STARTED,
                        p -> p.text("id", id).number("pid", process.pid()).number("started", process.startedAt()))
                > 0;
    }

    static boolean drain(Transaction transaction, String id, String reason, long now) throws SQLException {
        return transaction.update(
                        DRAIN, p -> p.text("id", id).text("reason", reason).time("now", now))
                > 0;
    }

    static boolean force(Transaction transaction, String id, long now) throws SQLException {
        return transaction.update(FORCE, p -> p.text("id", id).time("now", now)) > 0;
    }

    static void terminateAll(Transaction transaction, String reason, long now) throws SQLException {
        transaction.update(TERMINATE_ALL, p -> p.text("reason", reason).time("now", now));
    }

    static boolean terminate(
            Transaction transaction,
            String id,
            String reason,
            @Nullable Integer exitCode,
            @Nullable String lastOutput,
            long now)
            throws SQLException {
        return transaction.update(
                        TERMINATE,
                        p -> p.text("id", id)
                                .text("reason", reason)
                                .number("exit_code", exitCode == null ? null : exitCode.longValue())
                                .text("last_output", lastOutput)
                                .time("now", now))
                > 0;
    }

    static void contact(Transaction transaction, String id, long now) throws SQLException {
        transaction.change(CONTACT, p -> p.text("id", id).time("now", now));
    }

    static void active(Transaction transaction, String id, long now) throws SQLException {
        transaction.change(ACTIVE, p -> p.text("id", id).time("now", now));
    }

    /** False if it is not a pool reviewer, or no longer active; otherwise it cannot be ended before this commits. */
    static boolean claimed(Transaction transaction, String id, long now) throws SQLException {
        return transaction.update(CLAIMED, p -> p.text("id", id).time("now", now)) > 0;
    }

    static void judged(Transaction transaction, String id, boolean approved, long micros, long now)
            throws SQLException {
        transaction.change(
                JUDGED,
                p -> p.text("id", id)
                        .number("micros", micros)
                        .number("approvals", approved ? 1 : 0)
                        .number("rejections", approved ? 0 : 1)
                        .time("now", now));
    }

    static Optional<PoolReviewer> find(Transaction transaction, String id) throws SQLException {
        return transaction.first(FIND, p -> p.text("id", id), ReviewerTable::read);
    }

    static Optional<String> ofToken(Transaction transaction, String hash) throws SQLException {
        return transaction.first(OF_TOKEN, p -> p.text("token_hash", hash), row -> row.text("id"));
    }

    static List<PoolReviewer> ofSession(Transaction transaction, String session) throws SQLException {
        return transaction.list(OF_SESSION, p -> p.text("session", session), ReviewerTable::read);
    }

    static List<PoolSituation.Live> live(Transaction transaction) throws SQLException {
        return transaction.list(
                LIVE, _ -> {}, row -> new PoolSituation.Live(read(row), row.number("held"), row.number("lost") > 0));
    }

    static List<PoolReviewer> ofDeadBrokers(Transaction transaction, long now) throws SQLException {
        return transaction.list(OF_DEAD_BROKERS, p -> p.time("now", now), ReviewerTable::read);
    }

    static List<String> endedButHolding(Transaction transaction, long since) throws SQLException {
        return transaction.list(ENDED_BUT_HOLDING, p -> p.time("since", since), row -> row.text("id"));
    }

    private static PoolReviewer read(Row row) throws SQLException {
        return new PoolReviewer(
                row.text("id"),
                row.text("display_name"),
                row.text("session_token"),
                row.text("broker"),
                new PoolReviewer.Host(
                        row.text("machine"),
                        new PoolReviewer.Started(row.number("broker_pid"), row.number("broker_started"))),
                row.textOrNull("project"),
                row.textOrNull("folder"),
                row.text("workspace"),
                PoolReviewer.State.valueOf(row.text("state").toUpperCase(Locale.ROOT)),
                process(row),
                LeaseClock.instant(row.time("spawned_at")),
                instantOrNull(row.timeOrNull("contact_at")),
                LeaseClock.instant(row.time("last_active_at")),
                draining(row),
                ended(row),
                row.number("claims"),
                new PoolReviewer.Work(
                        row.number("reviews_completed"),
                        Duration.ofNanos(row.number("review_micros") * 1_000),
                        row.number("approvals"),
                        row.number("rejections")));
    }

    private static PoolReviewer.@Nullable Started process(Row row) throws SQLException {
        Long pid = row.numberOrNull("pid");
        return pid == null ? null : new PoolReviewer.Started(pid, row.number("started"));
    }

    private static PoolReviewer.@Nullable Draining draining(Row row) throws SQLException {
        Long since = row.timeOrNull("draining_at");
        return since == null ? null : new PoolReviewer.Draining(LeaseClock.instant(since), row.text("drain_reason"));
    }

    private static PoolReviewer.@Nullable Ended ended(Row row) throws SQLException {
        Long at = row.timeOrNull("terminated_at");
        Long exitCode = row.numberOrNull("exit_code");
        return at == null
                ? null
                : new PoolReviewer.Ended(
                        LeaseClock.instant(at),
                        row.text("end_reason"),
                        exitCode == null ? null : exitCode.intValue(),
                        row.textOrNull("last_output"));
    }

    private static @Nullable Instant instantOrNull(@Nullable Long micros) {
        return micros == null ? null : LeaseClock.instant(micros);
    }
}
