package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.ChangeView;
import dev.holdfast.broker.dashboard.diff.FileView;
import dev.holdfast.broker.dashboard.diff.Row;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.review.reading.Receipt;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One review, as its page shows it.
 *
 * @param lease what is left of the claim; null: nobody holds it
 * @param notes what the diff leaves out; empty: nothing
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
        List<Choice> rounds,
        List<Choice> compared,
        List<Choice> layouts,
        boolean beside,
        String notes,
        ChangeView change,
        String more,
        List<FindingView> findings,
        Set<Integer> read,
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
    public record CounterPatch(String by, String status, int round, ChangeView change) {
        public boolean pending() {
            return status.equals("pending");
        }
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
