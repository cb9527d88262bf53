package dev.holdfast.broker.dashboard.overview;

import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.broker.dashboard.part.ReviewTitle;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Holdings;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** What needs a person, who is at work, and trends. */
public final class OverviewPage {
    private static final int MAX_DONE = 8;
    private static final List<String> NUMBERS = List.of(
            "Nothing needs",
            "One thing needs",
            "Two things need",
            "Three things need",
            "Four things need",
            "Five things need",
            "Six things need",
            "Seven things need",
            "Eight things need",
            "Nine things need");

    private final Sources sources;
    private final AtWork atWork;
    private final Needs needs;
    private final Charts charts;

    public OverviewPage(Sources sources) {
        this.sources = sources;
        atWork = new AtWork(sources);
        needs = new Needs(sources);
        charts = new Charts(sources);
    }

    public Sheet show(Visit visit) {
        String asked = visit.query("range");
        Charts.Range range = Charts.Range.of(asked == null ? "" : asked);
        List<Needs.Need> needed = needs.of(visit.name(), visit.now());
        AtWork.Now working = atWork.now(visit.now());
        List<OverviewView.Done> done = done(visit.now());
        return Sheet.of(
                "overview",
                "Overview",
                new OverviewView(
                        heading(needed.size()),
                        lead(working),
                        needed,
                        working,
                        Stream.of(Charts.Range.values())
                                .map(one -> new OverviewView.Range(
                                        one.name().charAt(0) + one.word().substring(1),
                                        "/?range=" + one.word(),
                                        one == range))
                                .toList(),
                        charts.drawn(range, visit.now()),
                        done,
                        done.isEmpty()
                                && needed.isEmpty()
                                && working.all() == 0
                                && waiting().isEmpty()));
    }

    private static String heading(int needs) {
        return (needs < NUMBERS.size() ? NUMBERS.get(needs) : needs + " things need") + " you";
    }

    private List<Holdings.Depth> waiting() {
        return sources.claims().depths().stream()
                .filter(depth -> depth.state().equals("ready"))
                .toList();
    }

    private String lead(AtWork.Now working) {
        String at = working.all() == 0
                ? "Nobody holds anything."
                : plural(working.holders(), "agent holds", "agents hold") + " " + what(working) + ".";
        return at
                + waiting().stream()
                        .filter(depth -> depth.kind().equals("review"))
                        .findFirst()
                        .map(depth -> " " + plural(depth.depth(), "review is", "reviews are")
                                + " waiting for a reviewer, the oldest for "
                                + When.in(depth.oldest()) + ".")
                        .orElse(" No reviews are waiting.");
    }

    private static String what(AtWork.Now working) {
        String reserved = plural(working.reservations(), "reservation of files", "reservations of files");
        if (working.claims() == 0) {
            return reserved;
        }
        String claims = plural(working.claims(), "claim", "claims");
        return working.reservations() == 0 ? claims : claims + " and " + reserved;
    }

    private static String plural(long number, String one, String several) {
        return number + " " + (number == 1 ? one : several);
    }

    private List<OverviewView.Done> done(Instant now) {
        dev.holdfast.review.record.Page.Request some = new dev.holdfast.review.record.Page.Request(MAX_DONE, null);
        return Stream.of("approved", "changes_requested", "closed")
                .flatMap(status ->
                        sources.reviews().catalogue().feed(ReviewFilter.status(status), some).entries().stream())
                .map(entry -> entry.review())
                .sorted(java.util.Comparator.comparing(Review::updatedAt).reversed())
                .limit(MAX_DONE)
                .map(review -> done(review, now))
                .toList();
    }

    private OverviewView.Done done(Review review, Instant now) {
        String by = review.claimedBy() == null ? "" : " by " + review.claimedBy();
        String became = review.status() == ReviewStatus.CLOSED
                ? "approved" + by + ", then closed" + closer(review)
                : State.of(review.status()).word() + by;
        String where = review.project() == null ? "" : " in " + review.project();
        return new OverviewView.Done(
                review.id(),
                State.of(review.status()),
                ReviewTitle.of(review),
                Address.review(review.id()),
                "review " + ReviewTitle.shortId(review.id()) + where + ", " + became + ", round " + review.round(),
                new When(review.updatedAt(), now));
    }

    /** Closing is the last event of a review; it names who closed it only if they gave their name. */
    private String closer(Review review) {
        return sources.claims().tail().before(Long.MAX_VALUE, "review:" + review.id(), 1).stream()
                .filter(event -> event.type().equals("review_closed"))
                .map(event -> AuditEvent.of(event).by())
                .filter(name -> name != null && !name.equals("proposer"))
                .map(name -> " by " + name)
                .findFirst()
                .orElse("");
    }
}
