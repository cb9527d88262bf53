package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.review.figures.Statistics;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import dev.holdfast.testing.RefusedRow;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reviews that were over long ago go, with all that belongs to them; nothing else does. */
abstract class RetentionContract extends OnReviews {
    private static final Duration YEAR = Duration.ofDays(365);

    RetentionContract(Engine engine) {
        super(engine);
    }

    @Test
    void what_was_closed_or_withdrawn_long_ago_goes_with_all_of_it() {
        String closed = closed();
        String withdrawn = create();
        withdraw(withdrawn, "not wanted");
        on.settableClock().advance(YEAR.plusDays(1));
        assertThat(reviews.retention().drop(YEAR)).isEqualTo(2);
        assertThat(reviews.retention().drop(YEAR)).isZero();
        for (String id : List.of(closed, withdrawn)) {
            assertThat(reviews.catalogue().find(id)).isEmpty();
            assertThat(events(id)).isEmpty();
        }
        for (String table : List.of(
                "reviews",
                "revisions",
                "proposers",
                "receipts",
                "verdicts",
                "messages",
                "resources",
                "tallied_reviews")) {
            assertThat(rows(table)).as(table).isZero();
        }
    }

    @Test
    void what_is_open_or_was_over_only_lately_stays() {
        String pending = create();
        String claimed = create();
        claim(claimed, "reviewer-a");
        String approved = create();
        claim(approved, "reviewer-a");
        verdict(approved, "approved", null, "reviewer-a", 1L);
        String rejected = create();
        claim(rejected, "reviewer-a");
        verdict(rejected, "changes_requested", "no", "reviewer-a", 1L);
        on.settableClock().advance(YEAR.plusDays(1));
        String lately = closed();
        assertThat(reviews.retention().drop(YEAR)).isZero();
        assertThat(List.of(pending, claimed, approved, rejected, lately))
                .allSatisfy(id -> assertThat(reviews.catalogue().find(id)).isPresent());
    }

    @Test
    void what_was_counted_stays_counted() {
        closed();
        Statistics.Found before = reviews.statistics().of(null);
        on.settableClock().advance(YEAR.plusDays(1));
        reviews.retention().drop(YEAR);
        Statistics.Found after = reviews.statistics().of(null);
        assertThat(after.total()).isZero();
        assertThat(after.byCategory()).isEmpty();
        assertThat(after.approvalRate()).isEqualTo(before.approvalRate());
        assertThat(after.durationMicros()).isEqualTo(before.durationMicros());
        assertThat(after.inStateMicros()).isEqualTo(before.inStateMicros());
    }

    @Test
    void a_review_that_cannot_be_dropped_keeps_no_other() {
        List<String> ids = List.of(closed(), closed(), closed());
        on.settableClock().advance(YEAR.plusDays(1));
        try (RefusedRow _ = RefusedRow.of(on, "DELETE", "reviews", "id", ids.get(1))) {
            assertThat(reviews.retention().drop(YEAR)).isEqualTo(2);
            assertThat(reviews.retention().drop(YEAR)).isZero();
        }
        assertThat(reviews.retention().drop(YEAR)).isEqualTo(1);
    }

    @Test
    void many_go_in_several_steps() {
        for (int i = 0; i < 120; i++) {
            withdraw(create(), "not wanted");
        }
        on.settableClock().advance(YEAR.plusDays(1));
        int dropped = 0;
        int some;
        do {
            some = reviews.retention().drop(YEAR);
            dropped += some;
        } while (some > 0);
        assertThat(dropped).isEqualTo(120);
    }

    private String closed() {
        String id = reviews.proposals()
                .create(proposal().description("much to read"))
                .id();
        claimAndRead(id, "reviewer-a");
        on.settableClock().advance(Duration.ofMinutes(1));
        addMessage(id, "reviewer", "why?", null);
        verdict(id, "approved", null, "reviewer-a", 1L);
        reviews.proposals().close(id, "proposer");
        return id;
    }

    final long rows(String table) {
        return on.store()
                .read(transaction -> transaction
                        .first(Sql.of("SELECT count(*) AS rows FROM " + table), _ -> {}, row -> row.number("rows"))
                        .orElseThrow());
    }
}
