package dev.holdfast.review.reading;

import dev.holdfast.claim.Text;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What people keep while they read: unsent drafts, and which rounds of a review they have seen. */
public final class ReadingState {
    /** More than anybody would type. */
    public static final int LONGEST_DRAFT = 200_000;

    private static final Sql FIND = Sql.of(
            "SELECT draft, before, looked, sent FROM review_desks WHERE review_id = :review_id AND person = :person");

    private static final Sql LOOKED = Sql.of("""
            INSERT INTO review_desks (review_id, person, looked, sent, at)
            SELECT id, :person, :round, :round, :now FROM reviews WHERE id = :review_id
            ON CONFLICT (review_id, person) DO UPDATE
            SET before = NULLIF(review_desks.looked, 0), looked = excluded.looked, sent = excluded.sent, at = excluded.at
            WHERE review_desks.looked < excluded.looked
            """);

    private static final Sql SENT = Sql.of("""
            INSERT INTO review_desks (review_id, person, looked, sent, at)
            SELECT id, :person, 0, :round, :now FROM reviews WHERE id = :review_id
            ON CONFLICT (review_id, person) DO UPDATE SET sent = excluded.sent, at = excluded.at
            WHERE review_desks.sent < excluded.sent
            """);

    private static final Sql WROTE = Sql.of("""
            INSERT INTO review_desks (review_id, person, draft, looked, at)
            SELECT id, :person, :draft, 0, :now FROM reviews WHERE id = :review_id
            ON CONFLICT (review_id, person) DO UPDATE SET draft = excluded.draft, at = excluded.at
            """);

    /**
     * What one person has kept of a review.
     *
     * @param draft JSON; null: no draft
     * @param before the round that they had opened before the newest one; null: none
     * @param looked the newest round that they opened; 0: none
     * @param sent the newest round that one of their pages has shown, even if nobody was watching; 0: none
     */
    public record Entry(@Nullable String draft, @Nullable Integer before, int looked, int sent) {
        public static final Entry EMPTY = new Entry(null, null, 0, 0);

        public Entry onlyDraft() {
            return new Entry(draft, null, 0, 0);
        }

        public Entry withoutDraft() {
            return new Entry(null, before, looked, sent);
        }

        /** The newest round before this one that the person opened; null: none. */
        public @Nullable Integer openedBefore(int round) {
            if (looked >= round) {
                return before;
            }
            return looked == 0 ? null : looked;
        }
    }

    private final Store store;

    public ReadingState(Store store) {
        this.store = store;
    }

    public Optional<Entry> of(String reviewId, String person) {
        return store.read(transaction ->
                transaction.first(FIND, p -> p.text("review_id", reviewId).text("person", person), ReadingState::read));
    }

    /** Whether this person has opened the review's page. */
    public static boolean opened(Transaction transaction, String reviewId, String person) throws SQLException {
        return transaction
                .first(FIND, p -> p.text("review_id", reviewId).text("person", person), ReadingState::read)
                .isPresent();
    }

    /** Records that the person opened this round; writes only if that is new. */
    public Entry looked(String reviewId, String person, int round) {
        Entry known = of(reviewId, person).orElse(Entry.EMPTY);
        return known.looked() >= round ? known : note(LOOKED, reviewId, person, round);
    }

    /**
     * Records that an open page of the person's displayed this round by itself. They may be away, so it does not count
     * as opened.
     */
    public Entry sent(String reviewId, String person, int round) {
        Entry known = of(reviewId, person).orElse(Entry.EMPTY);
        return known.sent() >= round ? known : note(SENT, reviewId, person, round);
    }

    private Entry note(Sql change, String reviewId, String person, int round) {
        change(change, reviewId, person, p -> p.number("round", round));
        return of(reviewId, person).orElse(Entry.EMPTY);
    }

    /** @param draft null if it was sent or discarded */
    public void wrote(String reviewId, String person, @Nullable String draft) {
        String kept = draft == null ? null : Text.limited("draft", draft, LONGEST_DRAFT);
        change(WROTE, reviewId, person, p -> p.text("draft", kept));
    }

    private void change(Sql change, String reviewId, String person, Transaction.Binder more) {
        store.write(transaction -> {
            long now = transaction.now();
            transaction.change(
                    change,
                    p -> more.bind(
                            p.text("review_id", reviewId).text("person", person).time("now", now)));
            return true;
        });
    }

    private static Entry read(Row row) throws SQLException {
        Long before = row.numberOrNull("before");
        return new Entry(
                row.textOrNull("draft"), before == null ? null : before.intValue(), (int) row.number("looked"), (int)
                        row.number("sent"));
    }
}
