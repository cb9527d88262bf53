package dev.holdfast.review.finding;

import dev.holdfast.review.diff.Anchor;
import dev.holdfast.review.diff.Side;
import dev.holdfast.review.record.ReviewRow;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The SQL of {@code findings}. A finding's text never changes; its current position and how it was settled do. */
public final class FindingTable {
    private static final Sql ADD = Sql.of("""
            INSERT INTO findings (review_id, number, round, revision_number, path, side, line, lines, excerpt, severity,
                message, suggestion, raised_by, raised_at, path_now, line_now)
            VALUES (:review_id, :number, :round, :revision_number, :path, :side, :line, :lines, :excerpt, :severity, :message,
                :suggestion, :raised_by, :now, :path, :line)
            """);

    private static final Sql OF_REVIEW = Sql.of("SELECT * FROM findings WHERE review_id = :review_id ORDER BY number");

    private static final Sql SETTLE = Sql.of("""
            UPDATE findings SET settled = :settled, settled_by = :settled_by, settled_reason = :settled_reason, settled_at = :now
            WHERE review_id = :review_id AND number = :number AND settled IS NULL
            """);

    private static final Sql MOVE = Sql.of("""
            UPDATE findings SET place = :place, path_now = :path_now, line_now = :line_now, past = :past
            WHERE review_id = :review_id AND number = :number
            """);

    /** The letter for a round of which it is not known where a finding's line was. */
    private static final String UNKNOWN = "-";

    /** Where a finding's line is in the current content. */
    enum Place {
        THERE,
        OUTDATED,
        GONE;

        private String letter() {
            return name().substring(0, 1).toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A finding with the fields that only this package needs.
     *
     * @param raised where it was raised; its text may be truncated
     * @param now where it is now; null if it is not there
     * @param past where it was in the rounds after its own, a letter each
     */
    record Stored(
            Finding finding,
            int revisionNumber,
            Anchor raised,
            @Nullable Anchor now,
            String past) {
        boolean unsettled() {
            return finding.settled().isEmpty();
        }

        /** Whether the same reviewer says the same about this position. */
        boolean repeats(Anchor place, Remarks.Raised again, @Nullable String by) {
            return place.path().equals(again.path())
                    && place.side() == again.side()
                    && place.line() == again.line()
                    && finding.lines() == again.lines()
                    && finding.severity() == again.severity()
                    && finding.message().equals(again.message())
                    && Objects.equals(finding.raisedBy(), by);
        }
    }

    private FindingTable() {}

    static void add(
            Transaction transaction,
            ReviewRow review,
            int number,
            Remarks.Raised raised,
            Anchor anchor,
            @Nullable String by,
            long now)
            throws SQLException {
        transaction.change(
                ADD,
                p -> p.text("review_id", review.id)
                        .number("number", number)
                        .number("round", review.round)
                        .number("revision_number", review.revisionNumber)
                        .text("path", anchor.path())
                        .text("side", word(anchor.side()))
                        .number("line", anchor.line())
                        .number("lines", raised.lines())
                        .text("excerpt", Finding.excerpt(anchor.text()))
                        .text("severity", raised.severity().toString())
                        .text("message", raised.message())
                        .text("suggestion", raised.suggestion())
                        .text("raised_by", by)
                        .time("now", now));
    }

    /** In the order in which they were raised. */
    static List<Stored> all(Transaction transaction, String id) throws SQLException {
        return ask(transaction, id).get();
    }

    static Pending<List<Stored>> ask(Transaction transaction, String id) throws SQLException {
        return transaction.ask(OF_REVIEW, p -> p.text("review_id", id), FindingTable::stored);
    }

    public static Pending<List<Finding>> shown(Transaction transaction, String id) throws SQLException {
        Pending<List<Stored>> all = ask(transaction, id);
        return () -> all.get().stream().map(Stored::finding).toList();
    }

    static void settle(
            Transaction transaction,
            String id,
            int number,
            Finding.State settled,
            @Nullable String by,
            @Nullable String reason,
            long now)
            throws SQLException {
        transaction.change(
                SETTLE,
                p -> p.text("review_id", id)
                        .number("number", number)
                        .text("settled", settled.toString())
                        .text("settled_by", by)
                        .text("settled_reason", reason)
                        .time("now", now));
    }

    /** @param round whose content it is located in */
    static void move(Transaction transaction, String id, Stored stored, int round, Place place, @Nullable Anchor now)
            throws SQLException {
        int before = round - stored.finding().round() - 1;
        String past = before < 0
                ? stored.past()
                : (stored.past() + UNKNOWN.repeat(before)).substring(0, before) + place.letter();
        transaction.change(
                MOVE,
                p -> p.text("review_id", id)
                        .number("number", stored.finding().number())
                        .text("past", past)
                        .text("place", place.name().toLowerCase(Locale.ROOT))
                        .text("path_now", now == null ? null : now.path())
                        .number("line_now", now == null ? null : (long) now.line()));
    }

    private static Stored stored(Row row) throws SQLException {
        Place place = Place.valueOf(row.text("place").toUpperCase(Locale.ROOT));
        Side side = Side.valueOf(row.text("side").toUpperCase(Locale.ROOT));
        String excerpt = row.text("excerpt");
        Anchor raised = new Anchor(row.text("path"), side, (int) row.number("line"), excerpt);
        String pathNow = row.textOrNull("path_now");
        Anchor now = pathNow == null ? null : new Anchor(pathNow, side, (int) row.number("line_now"), excerpt);
        Finding.State state = state(row.textOrNull("settled"), place);
        Anchor shown = state == Finding.State.OPEN && now != null ? now : raised;
        Long settledAt = row.timeOrNull("settled_at");
        Optional<Finding.Settled> settled = settledAt == null
                ? Optional.empty()
                : Optional.of(new Finding.Settled(
                        row.textOrNull("settled_by"),
                        row.textOrNull("settled_reason"),
                        ReviewTable.instant(settledAt)));
        Finding finding = new Finding(
                (int) row.number("number"),
                state,
                Severity.of(row.text("severity")),
                shown.path(),
                side,
                shown.line(),
                (int) row.number("lines"),
                raised.line(),
                excerpt,
                row.text("message"),
                row.textOrNull("suggestion"),
                (int) row.number("round"),
                row.textOrNull("raised_by"),
                ReviewTable.instant(row.time("raised_at")),
                settled,
                past(row.text("past")));
        return new Stored(finding, (int) row.number("revision_number"), raised, now, row.text("past"));
    }

    private static List<Finding.State> past(String letters) {
        return letters.chars()
                .mapToObj(letter -> Stream.of(Place.values())
                        .filter(place -> place.letter().charAt(0) == letter)
                        .findFirst()
                        .map(place -> state(null, place))
                        .orElse(Finding.State.OPEN))
                .toList();
    }

    private static Finding.State state(@Nullable String settled, Place place) {
        if (settled != null) {
            return Finding.State.valueOf(settled.toUpperCase(Locale.ROOT));
        }
        return switch (place) {
            case THERE -> Finding.State.OPEN;
            case OUTDATED -> Finding.State.OUTDATED;
            case GONE -> Finding.State.RESOLVED;
        };
    }

    private static String word(Side side) {
        return side.name().toLowerCase(Locale.ROOT);
    }
}
