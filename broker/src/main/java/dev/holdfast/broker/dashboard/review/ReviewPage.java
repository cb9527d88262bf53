package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.ChangeView;
import dev.holdfast.broker.dashboard.diff.FileView;
import dev.holdfast.broker.dashboard.diff.Row;
import dev.holdfast.broker.dashboard.diff.Visible;
import dev.holdfast.broker.dashboard.page.MissingException;
import dev.holdfast.broker.dashboard.page.Page;
import dev.holdfast.broker.dashboard.page.Section;
import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.diff.Anchor;
import dev.holdfast.review.finding.Finding;
import dev.holdfast.review.reading.Desks;
import dev.holdfast.review.reading.Part;
import dev.holdfast.review.reading.Reading;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** May this be approved, and if not, what stops it? */
public record ReviewPage(Sources sources) implements Page {
    private static final int MOST_MOMENTS = 200;

    @Override
    public String path() {
        return "/reviews/{id}";
    }

    @Override
    public Section section() {
        return Section.REVIEWS;
    }

    @Override
    public Sheet show(Visit visit) {
        String id = sources.whole(Kind.REVIEW, visit.path("id"));
        Reading.Shown shown = shown(id, visit.number("round"));
        ReviewView view = view(visit, shown, desk(visit, shown));
        return Sheet.of("review", view.shortId(), view)
                .below("Reviews", "/reviews")
                .live("review:" + id)
                .withRail();
    }

    private Desks.Desk desk(Visit visit, Reading.Shown shown) {
        int round = shown.review().round();
        if (visit.person() == null || shown.revision().round() != round) {
            return Desks.Desk.EMPTY;
        }
        Desks desks = sources.reviews().desks();
        String id = shown.review().id();
        return visit.byItself() ? desks.sent(id, visit.name(), round) : desks.looked(id, visit.name(), round);
    }

    private Reading.Shown shown(String id, @Nullable Long round) {
        try {
            return sources.reviews()
                    .reading()
                    .proposal(id, round)
                    .orElseThrow(() -> new MissingException(
                            "There is no review " + id + ". It may have been deleted some time after it ended."));
        } catch (RefusedException e) {
            throw new MissingException(String.valueOf(e.getMessage()));
        }
    }

    private ReviewView view(Visit visit, Reading.Shown shown, Desks.Desk desk) {
        Review review = shown.review();
        String person = visit.name();
        boolean beside = "split".equals(visit.query("view"));
        Long against = visit.number("against");
        Optional<Claim> claim = claim(review);
        boolean mine = visit.may("submit_verdict")
                && !person.isEmpty()
                && claim.filter(one -> one.holder().equals(person)).isPresent();
        String text = shown.revision().diff() == null ? "" : shown.revision().diff();
        String notes = "";
        if (against != null) {
            try {
                text = sources.reviews().reading().compare(shown, against).text();
                notes = "Only what changed since round " + against
                        + ". Parts that are the same in both rounds are left out.";
            } catch (RefusedException e) {
                notes = String.valueOf(e.getMessage());
            }
        }
        ChangeView change = ChangeView.of(text, beside);
        if (mine && text.isEmpty() && against == null) {
            sources.reviews().receipts().served(shown, person); // the description is all there is to read
        }
        Set<Integer> read = mine && against == null ? read(shown, person, change) : Set.of();
        List<FindingView> findings = findings(visit, shown, change);
        return new ReviewView(
                review,
                State.of(review.status()),
                claim.map(one -> new Actor(one.holder())).orElse(null),
                claim.map(one -> Lease.of(one, visit.now())).orElse(null),
                new Actor(
                        review.proposer() == null || review.proposer().agent() == null
                                ? review.agentType()
                                : review.proposer().agent()),
                shown.revision().description() == null
                        ? ""
                        : Visible.of(shown.revision().description()),
                new When(review.createdAt(), visit.now()),
                Choices.rounds(shown, beside),
                Choices.compared(shown, desk, against, beside),
                Choices.layouts(shown, against, beside),
                beside,
                notes,
                change,
                against == null ? ReviewLines.more(sources, review, shown.revision()) : "",
                findings,
                read,
                mine,
                visit.may("withdraw_review") && !review.status().terminal(),
                mine ? stops(person, review, shown, change, read) : List.of(),
                desk.draft() == null ? "" : desk.draft(),
                counterPatch(shown),
                sources.reviews().receipts().of(review.id()),
                timeline(visit, shown));
    }

    private Optional<Claim> claim(Review review) {
        String holder = review.claimedBy();
        if (holder == null || !review.status().underReview()) {
            return Optional.empty();
        }
        return sources.claims().held(Kind.REVIEW, holder, null).stream()
                .filter(one -> one.resource().id().equals(review.id()))
                .findFirst();
    }

    private Set<Integer> read(Reading.Shown shown, String person, ChangeView change) {
        List<Part> parts = sources.reviews().receipts().shownTo(shown, person);
        return change.files().stream()
                .filter(file -> parts.stream().anyMatch(part -> part.from() <= file.from() && part.to() >= file.to()))
                .map(FileView::number)
                .collect(Collectors.toSet());
    }

    private static List<FindingView> findings(Visit visit, Reading.Shown shown, ChangeView change) {
        Set<String> lines = new HashSet<>();
        change.files().forEach(file -> {
            lines.add(file.path() + ":" + Anchor.WHOLE_FILE);
            file.rows().forEach(row -> {
                switch (row) {
                    case Row.Head _ -> {}
                    case Row.Line line -> lines.add(file.path() + ":" + line.number());
                    case Row.Pair pair -> {
                        Row.Line right = pair.right() == null ? pair.left() : pair.right();
                        if (right != null) {
                            lines.add(file.path() + ":" + right.number());
                        }
                    }
                }
            });
        });
        return shown.findings().stream()
                .sorted(java.util.Comparator.comparing((Finding finding) -> !finding.blocks())
                        .thenComparing(finding -> !finding.stands())
                        .thenComparingInt(Finding::number))
                .map(finding -> FindingView.of(
                        finding,
                        shown.review().round(),
                        shown.verdicts(),
                        lines.contains(finding.path() + ":" + finding.line()),
                        visit.now()))
                .toList();
    }

    private static List<ReviewView.Stop> stops(
            String person, Review review, Reading.Shown shown, ChangeView change, Set<Integer> read) {
        List<ReviewView.Stop> stops = new ArrayList<>();
        List<String> blocking = shown.findings().stream()
                .filter(Finding::blocks)
                .map(Finding::id)
                .toList();
        if (!blocking.isEmpty()) {
            stops.add(new ReviewView.Stop(
                    "flag",
                    "port",
                    String.join(", ", blocking) + " must be resolved or waived first",
                    "#" + blocking.getFirst(),
                    true));
        }
        List<FileView> unread = change.files().stream()
                .filter(file -> !read.contains(file.number()))
                .toList();
        if (!unread.isEmpty() && shown.revision().hasDiff()) {
            stops.add(new ReviewView.Stop(
                    "eye",
                    "brass",
                    unread.size() == 1
                            ? unread.getFirst().name() + " is not marked as read yet"
                            : unread.size() + " files are not marked as read yet, first "
                                    + unread.getFirst().name(),
                    "#" + unread.getFirst().anchor(),
                    true));
        } else {
            stops.add(new ReviewView.Stop("check", "ok", "You have read all of round " + review.round(), "", false));
        }
        boolean own =
                review.proposer() != null && person.equals(review.proposer().agent());
        stops.add(
                own
                        ? new ReviewView.Stop(
                                "ban", "port", "This is your own proposal: someone else has to review it", "", true)
                        : new ReviewView.Stop("check", "ok", "Not your own proposal", "", false));
        return stops;
    }

    private static ReviewView.@Nullable CounterPatch counterPatch(Reading.Shown shown) {
        Verdict verdict = shown.counterPatch().orElse(null);
        if (verdict == null || verdict.counterPatch() == null || verdict.counterPatchStatus() == null) {
            return null;
        }
        return new ReviewView.CounterPatch(
                verdict.reviewer() == null ? "somebody" : verdict.reviewer(),
                verdict.counterPatchStatus(),
                verdict.round(),
                ChangeView.of(verdict.counterPatch(), false));
    }

    private TimelineView timeline(Visit visit, Reading.Shown shown) {
        String id = shown.review().id();
        dev.holdfast.review.record.Page.Asked asked = new dev.holdfast.review.record.Page.Asked(MOST_MOMENTS, null);
        return TimelineView.of(
                sources.reviews().history().events(id, asked).entries(),
                shown.verdicts(),
                sources.reviews().discussion().read(id, null, asked).entries(),
                visit.now());
    }
}
