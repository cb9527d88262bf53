package dev.holdfast.review.pool;

import dev.holdfast.claim.ClaimSql;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.event.Events;
import dev.holdfast.review.approval.Independence;
import dev.holdfast.review.approval.Make;
import dev.holdfast.review.queue.ReviewClaims;
import dev.holdfast.review.record.Metadata;
import dev.holdfast.review.record.Reviewers;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The reviewers that brokers run: started, active, draining, terminated. All brokers on a store see the same; what one
 * of them decides, the others obey in their next transaction.
 */
public final class PoolReviewers implements Reviewers {
    private static final long HOUR = 60;
    private static final Duration DAY = Duration.ofDays(1);
    /** The longest ttl, and the longest lease after it. */
    private static final Duration LONGEST_LIFE = Duration.ofDays(8);

    private static final int MOST_CRASHES = 20;
    private static final String ACTOR = "pool-manager";
    /** Why a reviewer ends that gets no time to finish what it has. */
    private static final String FORCE = "force";

    private static final Sql TURN = Sql.of("SELECT only_row FROM pool_turn FOR UPDATE");

    private static final Sql PENDING = Sql.of("""
            SELECT r.queue, count(*) AS number, min(r.ready_since) AS since, min(v.project) AS project
            FROM""" + ClaimSql.offered(Kind.REVIEW, "r") + """
            JOIN reviews v ON v.id = r.id
            WHERE CAST(:not_ours AS text) IS NULL OR r.labels NOT LIKE :not_ours GROUP BY r.queue
            """);

    private static final Sql SPAWNS = Sql.of("SELECT count(*) AS number FROM reviewers WHERE spawned_at > :since");

    private static final Sql LAST_SPAWN = Sql.of("SELECT spawned_at FROM reviewers ORDER BY spawned_at DESC LIMIT 1");

    private static final Sql REVIEWS_SINCE =
            Sql.of("SELECT coalesce(sum(reviews), 0) AS number FROM pool_minutes WHERE minute > :since");

    private static final Sql COUNT_REVIEW = Sql.of("""
            INSERT INTO pool_minutes (minute, reviews) VALUES (:minute, 1)
            ON CONFLICT (minute) DO UPDATE SET reviews = pool_minutes.reviews + 1
            """);

    private static final Sql FORGET_REVIEWS = Sql.of("DELETE FROM pool_minutes WHERE minute <= :since");

    private static final Sql LATEST_ENDS = Sql.of("""
            SELECT terminated_at, last_output, reviews_completed FROM reviewers
            WHERE state = 'terminated' AND spawned_at > :since AND (reviews_completed > 0
                OR end_reason IN ('exited', 'hung', 'spawn_failed', 'never_claimed', 'claim_timeout'))
            ORDER BY terminated_at DESC LIMIT :most
            """);

    private final Store store;
    private final Events events;
    private final @Nullable Long reviewsPerHour;
    private final UnaryOperator<String> folders;
    private final @Nullable String notOurs;

    /** When all projects are in one place. */
    public PoolReviewers(Store store, Events events, @Nullable Long reviewsPerHour) {
        this(store, events, reviewsPerHour, _ -> "", null);
    }

    /**
     * @param reviewsPerHour how many reviews all of them together may take; null: as many as there are
     * @param folders where the files of a project are, by its key
     * @param leftAlone the engine whose proposals they may not judge, because it is their own; null: they may judge all
     */
    public PoolReviewers(
            Store store,
            Events events,
            @Nullable Long reviewsPerHour,
            UnaryOperator<String> folders,
            @Nullable String leftAlone) {
        this.store = store;
        this.events = events;
        this.reviewsPerHour = reviewsPerHour;
        this.folders = folders;
        notOurs = Make.of(leftAlone)
                .map(Independence::markOfMake)
                .map(Independence::pattern)
                .orElse(null);
    }

    @Override
    public String folder(String projectKey) {
        return folders.apply(projectKey);
    }

    @Override
    public Optional<Managed> managed(Transaction transaction, String reviewer) throws SQLException {
        return ReviewerTable.find(transaction, reviewer)
                .map(found -> new Managed(found.state().toString(), found.project(), found.folder()));
    }

    @Override
    public boolean comesBack(Transaction transaction, String reviewer) throws SQLException {
        return managed(transaction, reviewer).filter(Managed::active).isPresent();
    }

    @Override
    public void claimed(Transaction transaction, String reviewer) throws SQLException {
        long now = transaction.now();
        if (!ReviewerTable.claimed(transaction, reviewer, now)) {
            Optional<Managed> known = managed(transaction, reviewer);
            if (known.isPresent()) {
                ReviewClaims.checkActive(known.get(), reviewer); // drained or terminated since it was looked at first
            }
            return;
        }
        long minute = minute(now);
        long taken = reviewsSince(transaction, minute - HOUR);
        if (reviewsPerHour != null && taken >= reviewsPerHour) {
            throw new RefusedException(
                    RefusalCode.BUSY,
                    "The pool has taken " + taken + " reviews in the last hour, its limit"
                            + " (reviewer_pool.limits.reviews_per_hour); it goes on when the hour is over");
        }
        transaction.change(COUNT_REVIEW, p -> p.number("minute", minute));
        transaction.change(FORGET_REVIEWS, p -> p.number("since", minute - HOUR));
    }

    @Override
    public void judged(Transaction transaction, String reviewer, boolean approved, Duration took) throws SQLException {
        ReviewerTable.judged(transaction, reviewer, approved, took.toNanos() / 1_000, transaction.now());
    }

    @Override
    public void spoke(Transaction transaction, String reviewer) throws SQLException {
        ReviewerTable.active(transaction, reviewer, transaction.now());
    }

    // Beginning and ending

    /**
     * Decides, as the only broker that does so now, which reviewers to start, and writes them down before they are.
     *
     * @param decision what to start in this situation
     */
    public List<PoolReviewer.New> enlist(Function<PoolSituation, List<PoolReviewer.New>> decision) {
        return store.write(transaction -> {
            transaction.first(TURN, _ -> {}, row -> row.number("only_row"));
            List<PoolReviewer.New> made = decision.apply(situation(transaction));
            long now = transaction.now();
            for (PoolReviewer.New reviewer : made) {
                ReviewerTable.insert(transaction, reviewer, now);
            }
            return made;
        });
    }

    /** Its process runs. False when it has been terminated meanwhile. */
    public boolean started(PoolReviewer.New reviewer, PoolReviewer.Started process) {
        return store.write(transaction -> {
            boolean wanted = ReviewerTable.started(transaction, reviewer.id(), process);
            if (wanted) {
                tell(
                        transaction,
                        "reviewer_spawned",
                        reviewer.id(),
                        Metadata.of(
                                "reviewer_id",
                                reviewer.id(),
                                "display_name",
                                reviewer.displayName(),
                                "pid",
                                process.pid(),
                                "project_scope",
                                reviewer.project(),
                                "folder_scope",
                                reviewer.folder(),
                                "workspace_path",
                                reviewer.workspace()));
            }
            return wanted;
        });
    }

    /** From now on it gets nothing new. False when it was not active. */
    public boolean drain(String id, String reason) {
        return store.write(transaction -> {
            boolean drained = ReviewerTable.drain(transaction, id, reason, transaction.now());
            if (drained) {
                tell(
                        transaction,
                        "reviewer_drain_start",
                        id,
                        Metadata.of(
                                "reviewer_id", id, "reason", reason, "claims", DrainedClaims.held(transaction, id)));
            }
            return drained;
        });
    }

    /** It is to end at once, whatever it holds; its own broker will see to that. False when it has ended already. */
    public boolean force(String id) {
        return store.write(transaction -> {
            boolean forced = ReviewerTable.force(transaction, id, transaction.now());
            if (forced) {
                tell(transaction, "reviewer_drain_start", id, Metadata.of("reviewer_id", id, "reason", FORCE));
            }
            return forced;
        });
    }

    /** It has ended, and its token with it. False when that was known. What it holds is to be reclaimed after this. */
    public boolean terminated(String id, String reason, @Nullable Integer exitCode, @Nullable String lastOutput) {
        return store.write(transaction -> {
            boolean news = ReviewerTable.terminate(transaction, id, reason, exitCode, lastOutput, transaction.now());
            if (news) {
                tell(transaction, "reviewer_terminated", id, end(transaction, id, reason, exitCode));
            }
            return news;
        });
    }

    /** A drain that came to its end is told as such, with what it was for, and what ended the reviewer's last claim. */
    private static Map<String, @Nullable Object> end(
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

    private void tell(Transaction transaction, String type, String id, Map<String, @Nullable Object> metadata)
            throws SQLException {
        events.append(
                transaction,
                transaction.now(),
                type,
                "reviewer:" + id,
                ACTOR,
                null,
                JsonMapper.shared().writeValueAsString(Map.of("metadata", metadata)));
    }

    // Hearing of them

    /** Whose token this is the hash of; empty when nobody's, any more. */
    public Optional<String> ofToken(String hash) {
        return store.read(transaction -> ReviewerTable.ofToken(transaction, hash));
    }

    /** It has called; if it is at work and not only waiting, its time of idleness begins anew. */
    public void heard(String id, boolean atWork) {
        store.write(transaction -> {
            if (atWork) {
                ReviewerTable.active(transaction, id, transaction.now());
            } else {
                ReviewerTable.contact(transaction, id, transaction.now());
            }
            return id;
        });
    }

    // Looking

    public Optional<PoolReviewer> find(String id) {
        return store.read(transaction -> ReviewerTable.find(transaction, id));
    }

    /** Those that have not ended, of all brokers. */
    public List<PoolReviewer> live() {
        return store.read(ReviewerTable::live).stream()
                .map(PoolSituation.Live::reviewer)
                .toList();
    }

    /** Those that one run of a broker has started, oldest first. */
    public List<PoolReviewer> ofSession(String session) {
        return store.read(transaction -> ReviewerTable.ofSession(transaction, session));
    }

    /** Those that have not ended as far as is known, though their broker's claim on its identity is over. */
    public List<PoolReviewer> ofDeadBrokers() {
        return store.read(transaction -> ReviewerTable.ofDeadBrokers(transaction, transaction.now()));
    }

    /**
     * Those that have ended and still hold reviews: their broker died, or lost its store, between writing down the one
     * and taking back the other.
     */
    public List<String> endedButHolding() {
        return store.read(transaction ->
                ReviewerTable.endedButHolding(transaction, transaction.now() - LONGEST_LIFE.toNanos() / 1_000));
    }

    public PoolSituation situation() {
        return store.read(this::situation);
    }

    private PoolSituation situation(Transaction transaction) throws SQLException {
        long now = transaction.now();
        long yesterday = now - DAY.toNanos() / 1_000;
        return new PoolSituation(
                LeaseClock.instant(now),
                transaction.list(
                        PENDING,
                        p -> p.text("not_ours", notOurs),
                        row -> new PoolSituation.Pending(
                                row.text("queue"),
                                row.textOrNull("project"),
                                null,
                                row.number("number"),
                                LeaseClock.instant(row.time("since")))),
                ReviewerTable.live(transaction),
                transaction
                        .first(SPAWNS, p -> p.time("since", yesterday), row -> row.number("number"))
                        .orElse(0L),
                reviewsSince(transaction, minute(now) - HOUR),
                transaction
                        .first(LAST_SPAWN, _ -> {}, row -> LeaseClock.instant(row.time("spawned_at")))
                        .orElse(null),
                crashes(transaction, yesterday));
    }

    private static PoolSituation.Crashes crashes(Transaction transaction, long since) throws SQLException {
        record End(long at, @Nullable String output, boolean good) {}
        List<End> ends = transaction.list(
                LATEST_ENDS,
                p -> p.time("since", since).number("most", MOST_CRASHES),
                row -> new End(
                        row.time("terminated_at"), row.textOrNull("last_output"), row.number("reviews_completed") > 0));
        List<End> crashed = ends.stream().takeWhile(end -> !end.good()).toList();
        return crashed.isEmpty()
                ? PoolSituation.Crashes.NONE
                : new PoolSituation.Crashes(
                        crashed.size(),
                        LeaseClock.instant(crashed.getFirst().at()),
                        crashed.getFirst().output());
    }

    private static long reviewsSince(Transaction transaction, long minute) throws SQLException {
        return transaction
                .first(REVIEWS_SINCE, p -> p.number("since", minute), row -> row.number("number"))
                .orElse(0L);
    }

    private static long minute(long micros) {
        return micros / 60_000_000;
    }
}
