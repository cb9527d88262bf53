package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.ChangeView;
import dev.holdfast.broker.dashboard.diff.FileView;
import dev.holdfast.broker.dashboard.diff.VisibleText;
import dev.holdfast.broker.dashboard.page.MissingException;
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
import dev.holdfast.review.discussion.Discussion;
import dev.holdfast.review.finding.Finding;
import dev.holdfast.review.reading.ProposalReader;
import dev.holdfast.review.reading.ReadingState;
import dev.holdfast.review.reading.Receipts;
import dev.holdfast.review.reading.TextSlice;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** May this be approved, and if not, what stops it? */
public record ReviewPage(Sources sources) {
    private static final int MAX_OPEN = 50;

    /** The query parameter that names files whose long lines are shown whole. */
    private static final String UNCUT = "long";

    public Sheet show(Visit visit) {
        String id = sources.whole(Kind.REVIEW, visit.path("id"));
        ProposalReader.Shown shown = shown(id, visit.number("round"));
        ReviewView view = view(visit, shown, entry(visit, shown));
        return Sheet.of("review", view.shortId(), view)
                .below("Reviews", "/reviews")
                .live("review:" + id)
                .withRail();
    }

    /**
     * One file with its lines, for a page that held them back.
     *
     * @param file null: there is none to show
     * @param problem why not
     */
    public record OneFile(@Nullable FileView file, ReviewView review, String problem) {}

    /** {@code GET /reviews/{id}/files/{number}?revision=…} */
    public Sheet file(Visit visit) {
        ProposalReader.Shown shown = shown(visit.path("id"), visit.number("round"));
        ReviewView view = view(visit, shown, ReadingState.Entry.EMPTY);
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

    private ReadingState.Entry entry(Visit visit, ProposalReader.Shown shown) {
        int round = shown.review().round();
        if (visit.person() == null) {
            return ReadingState.Entry.EMPTY;
        }
        ReadingState readingState = sources.reviews().readingState();
        String id = shown.review().id();
        ReadingState.Entry entry;
        if (shown.revision().round() != round) {
            entry = readingState
                    .of(id, visit.name())
                    .orElse(ReadingState.Entry.EMPTY)
                    .onlyDraft();
        } else {
            entry = visit.byItself()
                    ? readingState.sent(id, visit.name(), round)
                    : readingState.looked(id, visit.name(), round);
        }
        return entry.draft() != null
                        && sources.reviews()
                                .receipts()
                                .isByProposer(id, visit.by().get())
                ? entry.withoutDraft()
                : entry;
    }

    private ProposalReader.Shown shown(String id, @Nullable Long round) {
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

    private ReviewView view(Visit visit, ProposalReader.Shown shown, ReadingState.Entry entry) {
        Review review = shown.review();
        ReviewAddress address = ReviewAddress.of(visit, shown);
        Optional<Claim> claim = claim(review);
        boolean mine = isMine(visit, claim);
        ShownChange change = ShownChange.of(sources.reviews().reading(), shown, address);
        ReadFiles read = mine ? read(visit, shown, change) : ReadFiles.NONE;
        TimelinePage newest = TimelinePage.of(sources, review.id(), shown.verdicts(), TimelinePage.Mark.NEWEST);
        List<FindingView> findings =
                findings(visit, shown, DiscussionMessage.of(newest.messages().reversed(), newest.events()));
        ReviewLinks links = new ReviewLinks(address, change.change(), page(visit, shown, address, change));
        return new ReviewView(
                head(visit, shown, claim),
                Choices.of(shown, entry, address),
                change.notes(),
                change.change(),
                links.page(),
                links,
                address.against() == null ? ReviewLines.more(sources, review, shown.revision()) : "",
                findings,
                new FindingPlaces(findings, change.change(), shown.revision().round(), change.against()),
                read.shown(),
                read.text(),
                new ReadProof(visit.name(), shown.revision().revision(), review.generation(), change.text()),
                mine,
                mine ? null : LostClaim.of(visit.name(), newest.events().reversed(), visit.now()),
                ApprovalView.of(shown.verdicts(), review.round(), visit.now()),
                Speaker.of(visit.name(), mine, sources.reviews().catalogue().proposers(review.id()), shown.verdicts()),
                visit.may("add_message") && Discussion.isOpen(review.status()),
                visit.may("withdraw_review") && !review.status().terminal(),
                mine ? stops(visit, shown, change, read, links) : List.of(),
                entry.draft() == null ? "" : entry.draft(),
                counterPatch(shown),
                sources.reviews().receipts().of(review.id()),
                timeline(visit, shown, newest, address));
    }

    private TimelineView timeline(Visit visit, ProposalReader.Shown shown, TimelinePage newest, ReviewAddress address) {
        TimelinePage.Mark from = TimelinePage.Mark.of(visit.said(ReviewAddress.PAST));
        TimelinePage past = from.equals(TimelinePage.Mark.NEWEST)
                ? newest
                : TimelinePage.of(sources, shown.review().id(), shown.verdicts(), from);
        return TimelineView.of(past, from.equals(TimelinePage.Mark.NEWEST), address, visit.now());
    }

    private static boolean isMine(Visit visit, Optional<Claim> claim) {
        return visit.may("submit_verdict")
                && visit.person() != null
                && claim.filter(one -> one.holder().equals(visit.name())).isPresent();
    }

    private ReviewView.Head head(Visit visit, ProposalReader.Shown shown, Optional<Claim> claim) {
        Review review = shown.review();
        String description = shown.revision().description();
        return new ReviewView.Head(
                review,
                State.of(review.status()),
                claim.map(one -> new Actor(one.holder())).orElse(null),
                claim.map(one -> Lease.of(one, visit.now())).orElse(null),
                new Actor(
                        review.proposer() == null || review.proposer().agent() == null
                                ? review.agentType()
                                : review.proposer().agent()),
                description == null ? "" : VisibleText.of(description),
                new When(review.createdAt(), visit.now()),
                item(review));
    }

    private ReadFiles read(Visit visit, ProposalReader.Shown shown, ShownChange change) {
        Receipts receipts = sources.reviews().receipts();
        if (change.text().isEmpty() && change.against() == null) {
            receipts.served(shown, visit.name(), TextSlice.NONE, visit.by()); // the description is all there is to read
        }
        return ReadFiles.of(receipts.shownTo(shown, visit.name()), change);
    }

    private static FilePage page(Visit visit, ProposalReader.Shown shown, ReviewAddress address, ShownChange change) {
        return FilePage.of(change.change(), address, remarked(shown), files(visit, "open"), files(visit, UNCUT));
    }

    private static List<ReviewView.Stop> stops(
            Visit visit, ProposalReader.Shown shown, ShownChange change, ReadFiles read, ReviewLinks links) {
        ReviewLinks whole = change.against() == null
                ? links
                : new ReviewLinks(links.address().comparedWith(null), change.whole(), FilePage.NONE);
        return ApprovalChecks.of(visit.name(), shown, change.whole(), read, whole);
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

    private static Set<String> remarked(ProposalReader.Shown shown) {
        return shown.findings().stream()
                .filter(Finding::stands)
                .map(Finding::path)
                .collect(Collectors.toSet());
    }

    /** The numbers of the files that the address asks for with this parameter. */
    private static Set<Integer> files(Visit visit, String asked) {
        return visit.queries(asked).stream()
                .filter(one -> one.matches("[0-9]{1,8}"))
                .limit(MAX_OPEN)
                .map(Integer::valueOf)
                .collect(Collectors.toSet());
    }

    private static List<FindingView> findings(
            Visit visit, ProposalReader.Shown shown, List<DiscussionMessage> messages) {
        return shown.findings().stream()
                .sorted(Comparator.comparing((Finding finding) -> !finding.blocks())
                        .thenComparing(finding -> !finding.stands())
                        .thenComparingInt(Finding::number))
                .map(finding ->
                        FindingView.of(finding, shown.review().round(), shown.verdicts(), messages, visit.now()))
                .toList();
    }

    private static ReviewView.@Nullable CounterPatch counterPatch(ProposalReader.Shown shown) {
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
}
