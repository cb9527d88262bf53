package dev.holdfast.review.pool;

import dev.holdfast.event.Events;
import dev.holdfast.review.approval.Independence;
import dev.holdfast.review.approval.ModelMaker;
import dev.holdfast.review.queue.ReviewerScope;
import dev.holdfast.review.record.Metadata;
import dev.holdfast.review.record.Reviewers;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The reviewers that brokers run: started, active, draining, terminated. All brokers on a store see the same reviewers;
 * what one broker decides applies to the others from their next transaction.
 */
public final class PoolReviewers implements Reviewers {
    /** The longest ttl plus the longest lease after it. */
    private static final Duration LONGEST_LIFE = Duration.ofDays(8);

    private static final Sql TURN = Sql.of("SELECT only_row FROM pool_turn FOR UPDATE");

    private final Store store;
    private final ReviewerEvents events;
    private final @Nullable Long reviewsPerHour;
    private final UnaryOperator<String> folders;
    private final @Nullable String notOurs;

    /** For a setup with all projects in one place. */
    public PoolReviewers(Store store, Events events, @Nullable Long reviewsPerHour) {
        this(store, events, reviewsPerHour, _ -> "", null);
    }

    /**
     * @param reviewsPerHour how many reviews all of them together may claim per hour; null: no limit
     * @param folders maps a project's key to the folder with its files
     * @param leftAlone the engine whose proposals they may not judge, because it is their own; null: they may judge all
     *     reviews
     */
    public PoolReviewers(
            Store store,
            Events events,
            @Nullable Long reviewsPerHour,
            UnaryOperator<String> folders,
            @Nullable String leftAlone) {
        this.store = store;
        this.events = new ReviewerEvents(events);
        this.reviewsPerHour = reviewsPerHour;
        this.folders = folders;
        notOurs = ModelMaker.of(leftAlone)
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
                ReviewerScope.checkActive(known.get(), reviewer); // drained or terminated since the first check
            }
            return;
        }
        HourlyClaims.count(transaction, now, reviewsPerHour);
    }

    @Override
    public void judged(Transaction transaction, String reviewer, boolean approved, Duration took) throws SQLException {
        ReviewerTable.judged(transaction, reviewer, approved, took.toNanos() / 1_000, transaction.now());
    }

    @Override
    public void spoke(Transaction transaction, String reviewer) throws SQLException {
        ReviewerTable.active(transaction, reviewer, transaction.now());
    }

    // Starting and ending

    /**
     * Decides which reviewers to start, while no other broker decides, and records them before they start.
     *
     * @param decision what to start in this situation
     */
    public List<PoolReviewer.New> enlist(Function<PoolSituation, List<PoolReviewer.New>> decision) {
        return store.write(transaction -> {
            transaction.first(TURN, _ -> {}, row -> row.number("only_row"));
            List<PoolReviewer.New> made = decision.apply(PoolSituations.read(transaction, notOurs));
            long now = transaction.now();
            for (PoolReviewer.New reviewer : made) {
                ReviewerTable.insert(transaction, reviewer, now);
            }
            return made;
        });
    }

    /** Its process is running. False if it has been terminated meanwhile. */
    public boolean started(PoolReviewer.New reviewer, PoolReviewer.Started process) {
        return store.write(transaction -> {
            boolean wanted = ReviewerTable.started(transaction, reviewer.id(), process);
            if (wanted) {
                events.append(
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

    /** It gets nothing new from now on. False if it was not active. */
    public boolean drain(String id, String reason) {
        return drain(id, reason, EndRequest.BY_THE_POOL);
    }

    /** As {@link #drain(String, String)}, at somebody's request; the event names them, and why they want it. */
    public boolean drain(String id, String reason, EndRequest request) {
        return store.write(transaction -> {
            boolean drained = ReviewerTable.drain(transaction, id, reason, transaction.now());
            if (drained) {
                events.drainStart(
                        transaction,
                        id,
                        request,
                        Metadata.of(
                                "reviewer_id", id, "reason", reason, "claims", DrainedClaims.held(transaction, id)));
            }
            return drained;
        });
    }

    /** Makes it end at once, whatever it holds; its own broker carries that out. False if it has already ended. */
    public boolean force(String id, EndRequest request) {
        return store.write(transaction -> {
            boolean forced = ReviewerTable.force(transaction, id, transaction.now());
            if (forced) {
                events.drainStart(
                        transaction, id, request, Metadata.of("reviewer_id", id, "reason", ReviewerEvents.FORCE));
            }
            return forced;
        });
    }

    /**
     * It has ended, and its token with it. False if that was already known. The caller must then reclaim what it holds.
     */
    public boolean terminated(String id, String reason, @Nullable Integer exitCode, @Nullable String lastOutput) {
        return store.write(transaction -> {
            boolean news = ReviewerTable.terminate(transaction, id, reason, exitCode, lastOutput, transaction.now());
            if (news) {
                events.append(
                        transaction, "reviewer_terminated", id, ReviewerEvents.end(transaction, id, reason, exitCode));
            }
            return news;
        });
    }

    /**
     * Ends all in a restored store. None is running: the backup may come from elsewhere, and neither the tokens nor the
     * processes that it names count.
     */
    public static void endRestored(Transaction transaction) throws SQLException {
        ReviewerTable.terminateAll(transaction, "restored", transaction.now());
    }

    // Contact

    /** The reviewer whose token has this hash; empty if there is none, or it has ended. */
    public Optional<String> ofToken(String hash) {
        return store.read(transaction -> ReviewerTable.ofToken(transaction, hash));
    }

    /** It has called; unless it is only waiting, its idle time starts again. */
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

    // Reading

    public Optional<PoolReviewer> find(String id) {
        return store.read(transaction -> ReviewerTable.find(transaction, id));
    }

    /** Those that have not ended, of all brokers. */
    public List<PoolReviewer> live() {
        return store.read(ReviewerTable::live).stream()
                .map(PoolSituation.Live::reviewer)
                .toList();
    }

    /** Those that one run of a broker started, oldest first. */
    public List<PoolReviewer> ofSession(String session) {
        return store.read(transaction -> ReviewerTable.ofSession(transaction, session));
    }

    /** Those that have not ended as far as is known, but whose broker's claim on its identity is over. */
    public List<PoolReviewer> ofDeadBrokers() {
        return store.read(transaction -> ReviewerTable.ofDeadBrokers(transaction, transaction.now()));
    }

    /**
     * Those that have ended but still hold reviews: their broker died, or lost its store, after recording the end and
     * before reclaiming the reviews.
     */
    public List<String> endedButHolding() {
        return store.read(transaction ->
                ReviewerTable.endedButHolding(transaction, transaction.now() - LONGEST_LIFE.toNanos() / 1_000));
    }

    public PoolSituation situation() {
        return store.read(transaction -> PoolSituations.read(transaction, notOurs));
    }
}
