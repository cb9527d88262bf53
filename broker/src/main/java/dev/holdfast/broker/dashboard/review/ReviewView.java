package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.ChangeView;
import dev.holdfast.broker.dashboard.diff.FileView;
import dev.holdfast.broker.dashboard.diff.Row;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.broker.dashboard.part.TakeBack;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import dev.holdfast.review.reading.Receipt;
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
 * @param item the page of the work item that it is for; empty: it names none
 * @param lease what is left of the claim; null: nobody holds it
 * @param notes what the diff leaves out; empty: nothing
 * @param page the files that this page shows
 * @param more where lines that the diff leaves out come from; empty: nobody knows what it was made from
 * @param read the numbers of the files that have been read
 * @param mine whoever looks holds it, and may judge it
 * @param canWithdraw whoever looks may end it
 * @param draft what was written and not sent, as JSON
 * @param counterPatch null: there is none
 */
public record ReviewView(
        Review review,
        State state,
        @Nullable Actor holder,
        @Nullable Lease lease,
        Actor proposer,
        String description,
        When created,
        String item,
        List<Choice> rounds,
        List<Choice> compared,
        List<Choice> layouts,
        String notes,
        ChangeView change,
        FilePage page,
        ReviewLinks links,
        String more,
        List<FindingView> findings,
        Set<Integer> read,
        ReadProof proof,
        boolean mine,
        boolean canWithdraw,
        List<Stop> stops,
        String draft,
        @Nullable CounterPatch counterPatch,
        List<Receipt> receipts,
        TimelineView timeline) {
    /** One of several ways to look at it. */
    public record Choice(String says, String path, boolean chosen, String icon, String key) {}

    /** Something in the way of an approval, or the good news that it is not. */
    public record Stop(String icon, String look, String says, String link, boolean blocks) {
        /** It is about findings, which the verdict itself can settle. */
        boolean settled() {
            return icon.equals("flag");
        }
    }

    /** What a reviewer suggests instead. */
    public record CounterPatch(String by, String status, int round, String revision, ChangeView change) {
        private static final int FILES = 50;
        private static final long LIGHT = 200_000;

        /** As many as find room beside the diff. */
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
            return status.equals("pending");
        }
    }

    /** Old and new in two columns. */
    public boolean beside() {
        return links.address().beside();
    }

    /** Where this page gets the lines of a file from that it keeps back. */
    public String linesOf(FileView file) {
        return links.address().file(file.number(), proof.revision());
    }

    /** The same with what it cuts off long lines. */
    public String uncut(FileView file) {
        return linesOf(file) + "&long=" + file.number();
    }

    /** Whether what is shown is what a verdict is about: only that can be read for it and commented on. */
    public boolean judged() {
        return mine && notes.isEmpty() && links.address().round() == null;
    }

    /** What the dialog asks that takes the review from its holder. */
    public String takeBack() {
        return holder == null
                ? ""
                : TakeBack.fill(new Resource(Kind.REVIEW, review.id()).toString(), holder.name(), review.generation());
    }

    public String pageOfFiles(int number) {
        return links.address().page(number).path();
    }

    public String link(FindingView one) {
        return links.to(one.finding());
    }

    public String shortId() {
        return review.id().length() > 8 ? review.id().substring(0, 8) : review.id();
    }

    /** What was found at this line of this file. */
    public List<FindingView> at(FileView file, Row.Line line) {
        return findings.stream()
                .filter(one -> one.isAt(file.path(), line.side(), line.number())
                        || (line.look().equals("ctx")
                                && one.isAt(file.path(), "old", line.before())
                                && !line.before().equals(line.after())))
                .toList();
    }

    /** How the gutter of a line shows what was found there: by the worst that still stands. */
    public String mark(List<FindingView> found) {
        if (found.isEmpty()) {
            return "";
        }
        List<FindingView> standing =
                found.stream().filter(one -> one.finding().stands()).toList();
        if (standing.stream().anyMatch(one -> one.finding().blocks())) {
            return " hit";
        }
        return standing.isEmpty() ? " hit past" : " hit soft";
    }

    /** What was found in this file as a whole. */
    public List<FindingView> whole(FileView file) {
        return of(file).stream().filter(one -> one.finding().ofWholeFile()).toList();
    }

    public List<FindingView> of(FileView file) {
        return findings.stream()
                .filter(one -> one.finding().path().equals(file.path()))
                .toList();
    }

    public long blockingIn(FileView file) {
        return of(file).stream().filter(one -> one.finding().blocks()).count();
    }

    public long openIn(FileView file) {
        return of(file).stream()
                .filter(one -> one.finding().stands() && !one.finding().blocks())
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

    /** The findings that block, which a verdict can settle as it approves. */
    public String blocking() {
        return findings.stream()
                .filter(one -> one.finding().blocks())
                .map(FindingView::id)
                .collect(Collectors.joining(" "));
    }

    /** What else blocks, which no verdict can settle; empty: nothing. */
    public String blockedElse() {
        return stops.stream()
                .filter(stop -> stop.blocks() && !stop.settled())
                .map(Stop::says)
                .findFirst()
                .orElse("");
    }

    public String findingsWords() {
        long block = findings.stream().filter(one -> one.finding().blocks()).count();
        long open = findings.stream().filter(one -> one.finding().stands()).count() - block;
        return block == 0 && open == 0
                ? (findings.isEmpty() ? "none" : "none open")
                : block + " block, " + open + " to look at";
    }

    /** Whether somebody can claim it. */
    public boolean waiting() {
        return review.status() == ReviewStatus.PENDING || review.status() == ReviewStatus.IN_REVIEW;
    }

    /** Whether anything can still be done with it. */
    public boolean over() {
        return review.status().terminal();
    }
}
