package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.ChangeView;
import dev.holdfast.broker.dashboard.diff.FileView;
import dev.holdfast.broker.dashboard.diff.Visible;
import dev.holdfast.broker.dashboard.page.MissingException;
import dev.holdfast.broker.dashboard.page.Page;
import dev.holdfast.broker.dashboard.page.Section;
import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.finding.Finding;
import dev.holdfast.review.reading.Desks;
import dev.holdfast.review.reading.Part;
import dev.holdfast.review.reading.Reading;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** May this be approved, and if not, what stops it? */
public record ReviewPage(Sources sources) implements Page {
    private static final int MOST_MOMENTS = 200;
    private static final int MOST_OPEN = 50;

    /** Names files whose long lines are to be shown whole. */
    private static final String UNCUT = "long";

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

    /**
     * One file with its lines, for a page that kept them back.
     *
     * @param file null: there is none to show
     * @param problem why not
     */
    public record OneFile(@Nullable FileView file, ReviewView review, String problem) {}

    /** {@code GET /reviews/{id}/files/{number}?revision=…} */
    public Sheet file(Visit visit) {
        Reading.Shown shown = shown(visit.path("id"), visit.number("round"));
        ReviewView view = view(visit, shown, Desks.Desk.EMPTY);
        boolean same = shown.revision().revision().equals(visit.query("revision"));
        FileView file = !same
                ? null
                : view.change().files().stream()
                        .filter(one -> Integer.toString(one.number()).equals(visit.path("number")))
                        .map(one -> files(visit, UNCUT).contains(one.number()) ? one.uncut() : one)
                        .findFirst()
                        .orElse(null);
        if (file == null) {
            visit.request().status(same ? 404 : 409);
        }
        String problem = same ? "The diff has no such file." : "A newer version is up for review. Reload the page.";
        return Sheet.of("file", "", new OneFile(file, view, file == null ? problem : ""));
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
        ReviewAddress address = ReviewAddress.of(visit, shown);
        Long against = address.against();
        Optional<Claim> claim = claim(review);
        boolean mine = visit.may("submit_verdict")
                && !person.isEmpty()
                && claim.filter(one -> one.holder().equals(person)).isPresent();
        String text = diff(shown);
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
        ChangeView change = ChangeView.of(text, address.beside());
        if (mine && text.isEmpty() && against == null) {
            sources.reviews().receipts().served(shown, person); // the description is all there is to read
        }
        // an approval is of the whole round, whatever that is compared with
        ChangeView whole = against == null || !mine ? change : ChangeView.of(diff(shown), address.beside());
        Set<Integer> readOfWhole = mine ? read(shown, person, whole) : Set.of();
        Set<Integer> read = against == null ? readOfWhole : same(whole, readOfWhole, change);
        List<FindingView> findings = findings(visit, shown);
        FilePage page = FilePage.of(change, address, remarked(shown), files(visit, "open"), files(visit, UNCUT));
        ReviewLinks links = new ReviewLinks(address, change, page);
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
                item(review),
                Choices.rounds(shown, address),
                Choices.compared(shown, desk, address),
                Choices.layouts(address),
                notes,
                change,
                page,
                links,
                against == null ? ReviewLines.more(sources, review, shown.revision()) : "",
                findings,
                read,
                new ReadProof(person, shown.revision().revision(), text),
                mine,
                visit.may("withdraw_review") && !review.status().terminal(),
                mine
                        ? Stops.of(
                                person,
                                shown,
                                whole,
                                readOfWhole,
                                against == null
                                        ? links
                                        : new ReviewLinks(address.comparedWith(null), whole, FilePage.NONE))
                        : List.of(),
                desk.draft() == null ? "" : desk.draft(),
                counterPatch(shown),
                sources.reviews().receipts().of(review.id()),
                timeline(visit, shown));
    }

    private String item(Review review) {
        return review.task() == null
                ? ""
                : sources.work()
                        .backlog()
                        .find(review.task())
                        .map(item -> Address.work(item.id()))
                        .orElse("");
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

    private static String diff(Reading.Shown shown) {
        String diff = shown.revision().diff();
        return diff == null ? "" : diff;
    }

    /** The files of another view that are at the paths of these. */
    private static Set<Integer> same(ChangeView whole, Set<Integer> files, ChangeView other) {
        Set<String> paths = whole.files().stream()
                .filter(file -> files.contains(file.number()))
                .map(FileView::path)
                .collect(Collectors.toSet());
        return other.files().stream()
                .filter(file -> paths.contains(file.path()))
                .map(FileView::number)
                .collect(Collectors.toSet());
    }

    private static Set<String> remarked(Reading.Shown shown) {
        return shown.findings().stream()
                .filter(Finding::stands)
                .map(Finding::path)
                .collect(Collectors.toSet());
    }

    /** Files whose lines were asked for, as the address says. */
    private static Set<Integer> files(Visit visit, String asked) {
        return visit.queries(asked).stream()
                .filter(one -> one.matches("[0-9]{1,8}"))
                .limit(MOST_OPEN)
                .map(Integer::valueOf)
                .collect(Collectors.toSet());
    }

    private static List<FindingView> findings(Visit visit, Reading.Shown shown) {
        return shown.findings().stream()
                .sorted(Comparator.comparing((Finding finding) -> !finding.blocks())
                        .thenComparing(finding -> !finding.stands())
                        .thenComparingInt(Finding::number))
                .map(finding -> FindingView.of(finding, shown.review().round(), shown.verdicts(), visit.now()))
                .toList();
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
                verdict.counterPatchRevision() == null ? "" : verdict.counterPatchRevision(),
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
