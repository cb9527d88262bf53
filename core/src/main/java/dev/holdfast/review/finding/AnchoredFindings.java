package dev.holdfast.review.finding;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.diff.Anchor;
import dev.holdfast.review.diff.Anchors;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.DiffProblem;
import dev.holdfast.review.diff.FileChange;
import dev.holdfast.review.diff.Hunk;
import dev.holdfast.review.diff.Side;
import dev.holdfast.review.record.Excerpt;
import dev.holdfast.review.record.ReviewRow;
import dev.holdfast.review.record.Revision;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * New findings and the lines that they point at. Created outside any transaction, because diffs are large; problems are
 * reported only after the fence was checked.
 *
 * @param problem why one of them points at nothing; empty if each has an anchor
 */
public record AnchoredFindings(
        Revision at, List<Remarks.Raised> raised, List<Anchor> anchors, Optional<String> problem) {
    private static final int MAX_NAMED = 10;

    static AnchoredFindings at(Revision revision, List<Remarks.Raised> raised) {
        List<Anchor> anchors = new ArrayList<>();
        String diff = revision.diff();
        if (diff == null) {
            return new AnchoredFindings(
                    revision,
                    raised,
                    anchors,
                    Optional.of(
                            "This proposal has no diff, so findings cannot point at lines; describe them in reason"));
        }
        return switch (Diff.parse(diff)) {
            case DiffProblem unreadable ->
                new AnchoredFindings(
                        revision,
                        raised,
                        anchors,
                        Optional.of("Findings cannot point at a diff that cannot be read (" + unreadable
                                + "): say it in reason"));
            case Diff read -> {
                for (int i = 0; i < raised.size(); i++) {
                    Remarks.Raised finding = raised.get(i);
                    Optional<Anchor> anchor =
                            Anchors.at(read, finding.path(), finding.side(), finding.start(), finding.line());
                    if (anchor.isEmpty()) {
                        yield new AnchoredFindings(
                                revision,
                                raised,
                                anchors,
                                Optional.of("findings[" + i + "]: " + whyNot(read, finding)));
                    }
                    anchors.add(anchor.get());
                }
                yield new AnchoredFindings(revision, raised, anchors, Optional.empty());
            }
        };
    }

    private static String whyNot(Diff diff, Remarks.Raised finding) {
        Side side = finding.side();
        String sideWord = side == Side.OLD ? "old" : "new";
        List<FileChange> files = diff.files().stream()
                .filter(file -> finding.path().equals(side == Side.OLD ? file.oldPath() : file.newPath()))
                .toList();
        if (files.isEmpty()) {
            return "this round's diff has no " + sideWord + " file " + Excerpt.of(finding.path(), 200)
                    + "; it has "
                    + named(diff.files().stream()
                            .map(file -> side == Side.OLD ? file.oldPath() : file.newPath())
                            .filter(Objects::nonNull)
                            .distinct());
        }
        String lines = named(files.stream()
                .flatMap(file -> file.hunks().stream())
                .map(hunk -> lines(hunk, side))
                .filter(range -> !range.isEmpty()));
        return "this round's diff does not show "
                + (finding.lines() == 1
                        ? "line " + finding.line()
                        : "lines " + finding.start() + " to " + finding.line() + " in one piece")
                + " of the " + sideWord + " "
                + Excerpt.of(finding.path(), 200) + "; it shows " + lines;
    }

    private static String lines(Hunk hunk, Side side) {
        int first = side == Side.OLD ? hunk.oldStart() : hunk.newStart();
        int count = side == Side.OLD ? hunk.oldCount() : hunk.newCount();
        return count == 0 ? "" : count == 1 ? "" + first : first + "-" + (first + count - 1);
    }

    private static String named(Stream<String> things) {
        List<String> first = things.limit(MAX_NAMED + 1L).toList();
        if (first.isEmpty()) {
            return "none: say it in reason";
        }
        return first.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
                + (first.size() > MAX_NAMED ? ", ..." : "");
    }

    /** @throws RefusedException if the content under review has changed, or a finding points at nothing */
    void check(ReviewRow review) {
        if (at.round() != review.round || at.number() != review.revisionNumber) {
            throw new RefusedException(
                    RefusalCode.STALE,
                    "Stale revision: the proposal has changed since you were shown it; read it with get_proposal");
        }
        if (problem.isPresent()) {
            throw new RefusedException(RefusalCode.INVALID, problem.get());
        }
    }
}
