package dev.holdfast.review.queue;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.record.Attention;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Project;
import dev.holdfast.review.record.Proposer;
import dev.holdfast.review.record.ProposerTable;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.review.record.Reviewers;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads reviews: one, the queue, the latest activity; and waits for them to change. */
public record ReviewCatalogue(Store store, ReviewWatch watch, WaitingReviewers line, Reviewers reviewers) {
    private static final Sql INTENTS = Sql.of("SELECT id, intent FROM reviews WHERE id = ANY (:ids)");

    /** A review in the feed, with the end of its discussion. */
    public record FeedEntry(
            Review review,
            long messages,
            @Nullable Instant lastMessageAt,
            @Nullable String lastMessage,
            String cursor) {}

    private record Listed(Review review, String cursor) {}

    public Optional<Review> find(String id) {
        return store.read(transaction -> ReviewTable.show(transaction, id));
    }

    /** The intents of these reviews, by id. */
    public Map<String, String> intents(List<String> ids) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        return store
                .read(transaction -> transaction.list(
                        INTENTS, p -> p.texts("ids", ids), row -> Map.entry(row.text("id"), row.text("intent"))))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Who submitted its rounds, in order. */
    public List<Proposer> proposers(String id) {
        return store.read(transaction -> ProposerTable.all(transaction, id));
    }

    /**
     * Waits until the review's version differs from this one, and returns the review; on timeout, returns it as it is.
     *
     * @param since the version that the caller knows; null: the current one
     */
    public Optional<Review> changed(String id, @Nullable Long since, Duration patience) {
        Optional<Review> now = find(id);
        if (now.isEmpty()) {
            return now;
        }
        long known = since == null ? now.get().version() : since;
        return watch.until(
                ReviewWatch.topic(id),
                patience,
                () -> find(id),
                seen -> seen.map(review ->
                                review.version() != known || review.status().terminal())
                        .orElse(true));
    }

    /** Most urgent first, then oldest. */
    public Page<Review> list(ReviewFilter wanted, Page.Request asked) {
        return list(wanted, null, asked);
    }

    /** @param by leaves out what is reserved for anybody else; null: leaves out nothing */
    private Page<Review> list(ReviewFilter wanted, @Nullable String by, Page.Request asked) {
        long[] from = asked.position(-1, -1);
        boolean start = asked.cursor() == null;
        Sql sql = Sql.composed(ReviewTable.VIEW + wanted.where()
                + (by == null ? "" : " AND (v.reserved_for IS NULL OR v.reserved_for = :by)")
                + (start ? "" : " AND (v.priority, v.seq) > (:priority, :seq)")
                + " ORDER BY v.priority, v.seq"
                + Sql.limit(asked.oneMore()));
        List<Listed> found = store.read(transaction -> transaction.list(
                sql,
                p -> {
                    wanted.bind(p);
                    if (by != null) {
                        p.text("by", by);
                    }
                    if (!start) {
                        p.number("priority", from[0]).number("seq", from[1]);
                    }
                    p.limit(asked.oneMore());
                },
                row -> new Listed(ReviewTable.review(row), row.number("priority") + "." + row.number("seq"))));
        Page<Listed> page = Page.of(found, asked, Listed::cursor);
        return new Page<>(page.entries().stream().map(Listed::review).toList(), page.next());
    }

    /** How many there are, counting at most up to this limit. */
    public long count(ReviewFilter wanted, int max) {
        Sql sql = Sql.composed(
                "SELECT count(*) AS reviews FROM (SELECT 1" + ReviewTable.FROM + wanted.where() + " LIMIT :max) w");
        return store.read(transaction -> transaction.first(
                        sql,
                        p -> {
                            wanted.bind(p);
                            p.number("max", max);
                        },
                        row -> row.number("reviews")))
                .orElse(0L);
    }

    /** Longest waiting first; leaves out reviews that wait for nobody. */
    public Page<Review> longestWaiting(ReviewFilter wanted, Page.Request asked) {
        long[] from = asked.position(0, -1);
        boolean start = asked.cursor() == null;
        // compute the waiting time once for all, and everything else only for those that are shown
        Sql sql = Sql.composed("WITH w AS MATERIALIZED (SELECT v.id, v.seq, " + Attention.SINCE + " AS since"
                + ReviewTable.FROM + wanted.where() + ReviewFilter.IS_OPEN
                + "), shown AS MATERIALIZED (SELECT w.id FROM w"
                + (start ? "" : " WHERE (w.since, w.seq) > (:since, :seq)")
                + " ORDER BY w.since, w.seq" + Sql.limit(asked.oneMore()) + ") "
                + ReviewTable.VIEW + "WHERE v.id IN (SELECT id FROM shown) ORDER BY turn_since, v.seq");
        List<Listed> found = store.read(transaction -> transaction.list(
                sql,
                p -> {
                    wanted.bind(p);
                    if (!start) {
                        p.time("since", from[0]).number("seq", from[1]);
                    }
                    p.limit(asked.oneMore());
                },
                row -> new Listed(ReviewTable.review(row), row.time("turn_since") + "." + row.number("seq"))));
        Page<Listed> page = Page.of(found, asked, Listed::cursor);
        return new Page<>(page.entries().stream().map(Listed::review).toList(), page.next());
    }

    /**
     * Waits until the list is not empty, and returns it; empty on timeout.
     *
     * @param caller who waits; reviews reserved for others do not count; null: unknown
     */
    public Page<Review> awaitPending(
            ReviewFilter wanted, @Nullable String caller, Page.Request asked, Duration patience) {
        return line.await(
                pending -> wanted.includes(pending.category(), pending.project())
                        && (caller == null
                                || pending.reservedFor() == null
                                || pending.reservedFor().equals(caller)),
                patience,
                () -> list(wanted, caller, asked),
                page -> !page.entries().isEmpty());
    }

    /**
     * Restricts what is asked for to what this caller may list: a pool reviewer that is scoped to a project sees no
     * other.
     *
     * @param project the one project that was asked for, as written; null: none or several
     * @throws RefusedException if it asks for other projects
     */
    public ReviewFilter allowed(ReviewFilter wanted, @Nullable String project, @Nullable String caller) {
        String scope = caller == null
                ? null
                : store.read(transaction -> reviewers.managed(transaction, caller))
                        .map(Reviewers.Managed::project)
                        .orElse(null);
        if (scope == null || wanted.projects().equals(Set.of(Project.key(scope)))) {
            return wanted;
        }
        if (wanted.projects().isEmpty()) {
            return new ReviewFilter(wanted.status(), wanted.category(), Set.of(scope));
        }
        throw new RefusedException(
                RefusalCode.FORBIDDEN,
                "Reviewer " + caller + " is scoped to project '" + scope + "' and cannot list "
                        + (project == null ? "other projects." : "project '" + project + "'."));
    }

    /** Most recently changed first. */
    public Page<FeedEntry> feed(ReviewFilter wanted, Page.Request asked) {
        long[] from = asked.position(Long.MAX_VALUE, Long.MAX_VALUE);
        boolean start = asked.cursor() == null;
        Sql sql = Sql.composed("""
                SELECT w.*,
                    (SELECT count(*) FROM messages m WHERE m.review_id = w.id) AS messages,
                    (SELECT m.at FROM messages m WHERE m.review_id = w.id ORDER BY m.seq DESC LIMIT 1) AS last_at,
                    (SELECT substr(m.body, 1, 120) FROM messages m WHERE m.review_id = w.id ORDER BY m.seq DESC LIMIT 1) AS last_body
                FROM (""" + ReviewTable.VIEW + wanted.where()
                + (start ? "" : " AND (v.updated_at, v.seq) < (:at, :seq)")
                + " ORDER BY v.updated_at DESC, v.seq DESC" + Sql.limit(asked.oneMore())
                + ") w ORDER BY w.updated_at DESC, w.seq DESC");
        List<FeedEntry> found = store.read(transaction -> transaction.list(
                sql,
                p -> {
                    wanted.bind(p);
                    if (!start) {
                        p.time("at", from[0]).number("seq", from[1]);
                    }
                    p.limit(asked.oneMore());
                },
                ReviewCatalogue::entry));
        return Page.of(found, asked, FeedEntry::cursor);
    }

    private static FeedEntry entry(Row row) throws SQLException {
        Review review = ReviewTable.review(row);
        Long lastAt = row.timeOrNull("last_at");
        return new FeedEntry(
                review,
                row.number("messages"),
                lastAt == null ? null : ReviewTable.instant(lastAt),
                row.textOrNull("last_body"),
                LeaseClock.micros(review.updatedAt()) + "." + row.number("seq"));
    }
}
