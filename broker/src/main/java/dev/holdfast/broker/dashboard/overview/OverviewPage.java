package dev.holdfast.broker.dashboard.overview;

import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Holdings;
import java.util.List;
import java.util.stream.Stream;

/** What needs a person, who is at work, and trends. */
public final class OverviewPage {
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
    private final LatestDone latest;

    public OverviewPage(Sources sources) {
        this.sources = sources;
        atWork = new AtWork(sources);
        needs = new Needs(sources);
        charts = new Charts(sources);
        latest = new LatestDone(sources);
    }

    public Sheet show(Visit visit) {
        String asked = visit.query("range");
        Charts.Range range = Charts.Range.of(asked == null ? "" : asked);
        List<Needs.Need> needed = needs.of(visit.name(), visit.now());
        AtWork.Now working = atWork.now(visit.now());
        List<OverviewView.Done> done = latest.done(visit.now());
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
}
