package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.ChangeView;
import dev.holdfast.broker.dashboard.diff.DiffRow;
import dev.holdfast.broker.dashboard.diff.FileView;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.ReviewTitle;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.broker.dashboard.part.TakeBack;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import dev.holdfast.review.reading.Receipt;
import dev.holdfast.review.record.CounterPatchStatus;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One review, as its page shows it.
 *
 * @param notes what the diff leaves out; empty: nothing
 * @param page the files that this page shows
 * @param more where lines that the diff leaves out are loaded from; empty: it is not known what it was made from
 * @param read the numbers of the files that have been read
 * @param textRead whether all of a text was read that is no diff and so has no files
 * @param mine the visitor holds it and may judge it
 * @param lost how the visitor lost the claim to it lately; null: they did not
 * @param approval null: its latest round is not approved
 * @param talks the visitor may write to the other side now
 * @param canWithdraw the visitor may withdraw it
 * @param draft what was written but not sent, as JSON
 * @param counterPatch null: there is none
 */
public record ReviewView(
        Head head,
        Choices ways,
        String notes,
        ChangeView change,
        FilePage page,
        ReviewLinks links,
        String more,
        List<FindingView> findings,
        FindingPlaces places,
        Set<Integer> read,
        boolean textRead,
        ReadProof proof,
        boolean mine,
        @Nullable LostClaim lost,
        @Nullable ApprovalView approval,
        Speaker speaker,
        boolean talks,
        boolean canWithdraw,
        List<Stop> stops,
        String draft,
        @Nullable CounterPatch counterPatch,
        List<Receipt> receipts,
        TimelineView timeline) {
    /**
     * What is above the change.
     *
     * @param lease what is left of the claim; null: nobody holds it
     * @param item the page of the work item that it is for; empty: it names none
     */
    public record Head(
            Review review,
            State state,
            @Nullable Actor holder,
            @Nullable Lease lease,
            Actor proposer,
            String description,
            When created,
            String item) {}

    /** Something that blocks an approval, or a check that passed. */
    public record Stop(String icon, String look, String says, String link, boolean blocks) {
        /** It is about findings, which the verdict itself can settle. */
        public boolean settled() {
            return icon.equals("flag");
        }
    }

    /** What a reviewer suggests instead. */
    public record CounterPatch(String by, CounterPatchStatus status, int round, String revision, ChangeView change) {
        private static final int FILES = 50;
        private static final long LIGHT = 200_000;

        /** As many as fit beside the diff. */
        public List<FileView> files() {
            List<FileView> files = new ArrayList<>();
            long left = LIGHT;
            for (FileView file : change.files()) {
                left -= file.weight();
                if (left < 0 || files.size() == FILES) {
                    break;
                }
                files.add(file);
            }
            return files;
        }

        public boolean pending() {
            return status == CounterPatchStatus.PENDING;
        }

        /** What has become of it and who is next; empty: nobody has decided yet. */
        public String outcome(ReviewStatus now) {
            return switch (status) {
                case ACCEPTED ->
                    "It is now what round " + round + " proposes."
                            + switch (now) {
                                case PENDING -> " It needs its own verdict.";
                                case CLAIMED, IN_REVIEW -> " Its reviewer has to read it before the verdict.";
                                case APPROVED -> " It is approved.";
                                case CHANGES_REQUESTED, CLOSED, WITHDRAWN -> "";
                            };
                case REJECTED -> "The change stays as it was proposed.";
                case PENDING, SUPERSEDED -> "";
            };
        }
    }

    public Review review() {
        return head.review();
    }

    /** Null: nobody holds it. */
    public @Nullable Actor holder() {
        return head.holder();
    }

    /** Old and new in two columns. */
    public boolean beside() {
        return links.address().beside();
    }

    /** Where this page loads a file's lines from if it holds them back. */
    public String linesOf(FileView file) {
        return links.address().file(file.number(), proof.revision());
    }

    /** The same, with long lines whole. */
    public String uncut(FileView file) {
        return linesOf(file) + "&long=" + file.number();
    }

    /** Whether what is shown is what a verdict is about: only that can be marked as read and commented on. */
    public boolean judged() {
        return mine && notes.isEmpty() && links.address().round() == null;
    }

    /** The values for the dialog that takes the review from its holder. */
    public String takeBack() {
        Actor holder = head.holder();
        return holder == null
                ? ""
                : TakeBack.fill(
                        new Resource(Kind.REVIEW, review().id()).toString(), holder.name(), review().generation());
    }

    public String pageOfFiles(int number) {
        return links.address().page(number).path();
    }

    public String link(FindingView one) {
        return links.to(one.finding());
    }

    public String shortId() {
        return ReviewTitle.shortId(review().id());
    }

    /** The findings at this line of this file. */
    public List<FindingView> at(FileView file, DiffRow.Line line) {
        return places.below(file, line);
    }

    /** How the gutter marks a line that findings are about: by the worst that still stands. */
    public String mark(FileView file, DiffRow.Line line) {
        List<FindingView> found = places.about(file, line);
        if (found.isEmpty()) {
            return "";
        }
        List<FindingView> standing = found.stream().filter(one -> one.stands()).toList();
        if (standing.stream().anyMatch(one -> one.finding().blocks())) {
            return " hit";
        }
        return standing.isEmpty() ? " hit past" : " hit soft";
    }

    /** The findings on this file as a whole, or at a line that it does not show. */
    public List<FindingView> atHead(FileView file) {
        return places.atHead(file);
    }

    public List<FindingView> of(FileView file) {
        return findings.stream()
                .filter(one -> FindingPlaces.isIn(file, one.finding()))
                .toList();
    }

    /** Whether the visitor may declare a finding fixed: only with a verdict, and only whoever raised it. */
    public boolean canResolve(FindingView one) {
        return mine && proof.person().equals(one.finding().raisedBy());
    }

    public long blockingIn(FileView file) {
        return of(file).stream().filter(one -> one.finding().blocks()).count();
    }

    public long openIn(FileView file) {
        return of(file).stream()
                .filter(one -> one.stands() && !one.finding().blocks())
                .count();
    }

    public long readFiles() {
        return change.files().stream()
                .filter(file -> read.contains(file.number()))
                .count();
    }

    public boolean blocked() {
        return stops.stream().anyMatch(Stop::blocks);
    }

    public String whyBlocked() {
        return stops.stream().filter(Stop::blocks).map(Stop::says).findFirst().orElse("");
    }

    /** On a phone, in one line: whose turn it is, or what stops the person who holds it. */
    public Dock dock() {
        Actor holder = head.holder();
        if (mine) {
            return new Dock(blocked() ? whyBlocked() : "Nothing blocks approval", blocked() ? "port" : "ok", "Decide");
        }
        return over()
                ? new Dock("This review has ended", "dim", "Timeline")
                : holder != null
                        ? new Dock(holder.shown() + " is reviewing it", "sea", "Findings")
                        : waiting()
                                ? new Dock("Nobody is reviewing this yet", "dim", "Decide")
                                : new Dock("Waiting for its proposer", "dim", "Findings");
    }

    /** @param leads what the button that leads from the diff to the rest says */
    public record Dock(String says, String look, String leads) {}

    /** The ids of the findings that block, which a verdict can settle as it approves. */
    public String blocking() {
        return findings.stream()
                .filter(one -> one.finding().blocks())
                .map(FindingView::id)
                .collect(Collectors.joining(" "));
    }

    /** What else blocks and no verdict can settle; empty: nothing. */
    public String blockedElse() {
        return stops.stream()
                .filter(stop -> stop.blocks() && !stop.settled())
                .map(Stop::says)
                .findFirst()
                .orElse("");
    }

    public String findingsWords() {
        long block = findings.stream().filter(one -> one.finding().blocks()).count();
        long open = findings.stream().filter(one -> one.stands()).count() - block;
        return block == 0 && open == 0
                ? (findings.isEmpty() ? "none" : "none open")
                : block + " blocking, " + open + " other open";
    }

    /** Whether somebody can claim it. */
    public boolean waiting() {
        return review().status() == ReviewStatus.PENDING || review().status() == ReviewStatus.IN_REVIEW;
    }

    /** What a message does apart from being read; empty: nothing. */
    public String messageDoes() {
        return review().status() == ReviewStatus.CHANGES_REQUESTED
                ? "A message from the proposer puts the review back in the queue unchanged."
                : "";
    }

    /** Whether nothing more can be done with it. */
    public boolean over() {
        return review().status().terminal();
    }
}
