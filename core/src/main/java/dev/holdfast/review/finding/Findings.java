package dev.holdfast.review.finding;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.diff.Anchor;
import dev.holdfast.review.finding.FindingTable.Stored;
import dev.holdfast.review.record.Excerpt;
import dev.holdfast.review.record.Metadata;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.review.record.Revision;
import dev.holdfast.review.record.RevisionTable;
import dev.holdfast.review.record.Verdict;
import dev.holdfast.store.Pending;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Findings of a locked review: raises, resolves and waives them, and checks whether they block approval. */
public final class Findings {
    private static final int MAX_NAMED = 5;

    private final ReviewChanges changes;

    public Findings(ReviewChanges changes) {
        this.changes = changes;
    }

    /**
     * Locates new findings' lines in the content that is currently under review. Empty if there are no new findings.
     */
    public Optional<AnchoredFindings> point(String id, Remarks remarks) {
        if (remarks.raised().isEmpty() || !ReviewChanges.couldBe(id)) {
            return Optional.empty();
        }
        Revision revision = changes.store().read(transaction -> {
            ReviewTable.mustExist(transaction, id);
            return RevisionTable.current(transaction, id);
        });
        return Optional.of(AnchoredFindings.at(revision, remarks.raised()));
    }

    /**
     * Resolves, waives and raises, in this order.
     *
     * @return the ids of the raised findings; what this reviewer already said about the same line is not raised again
     */
    public List<String> apply(
            ReviewChanges.Locked locked, Remarks remarks, Optional<AnchoredFindings> anchored, @Nullable String by)
            throws SQLException {
        if (anchored.isPresent()) {
            anchored.get().check(locked.review());
        }
        if (remarks.equals(Remarks.NONE)) {
            return List.of();
        }
        List<Stored> known = FindingTable.all(locked.transaction(), locked.review().id);
        for (String id : remarks.resolved()) {
            resolve(locked, named(known, id), by);
        }
        for (Remarks.Waiver waiver : remarks.waived()) {
            settle(locked, named(known, waiver.id()), Finding.State.WAIVED, by, waiver.reason());
        }
        return anchored.isPresent() ? raise(locked, known, anchored.get(), by) : List.of();
    }

    private static Finding named(List<Stored> known, String id) {
        return known.stream()
                .map(Stored::finding)
                .filter(finding -> finding.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new RefusedException(
                        RefusalCode.NOT_FOUND,
                        "This review has no finding " + Excerpt.of(id, 40) + "; get_proposal lists them"));
    }

    private void resolve(ReviewChanges.Locked locked, Finding finding, @Nullable String by) throws SQLException {
        if (by == null || !by.equals(finding.raisedBy())) {
            throw new RefusedException(
                    RefusalCode.FORBIDDEN,
                    "Only " + (finding.raisedBy() == null ? "the reviewer who raised it" : finding.raisedBy())
                            + " can resolve finding " + finding.id()
                            + ". If it no longer applies, waive it: waived: [{\"id\": \""
                            + finding.id() + "\", \"reason\": \"...\"}]");
        }
        settle(locked, finding, Finding.State.RESOLVED, by, null);
    }

    private void settle(
            ReviewChanges.Locked locked,
            Finding finding,
            Finding.State as,
            @Nullable String by,
            @Nullable String reason)
            throws SQLException {
        if (finding.settled().isPresent()) {
            return; // a repeat changes nothing
        }
        FindingTable.settle(locked.transaction(), locked.review().id, finding.number(), as, by, reason, locked.now());
        changes.record(
                locked,
                ReviewChanges.event(
                        "finding_" + as,
                        by,
                        null,
                        null,
                        Metadata.of(
                                "finding",
                                finding.id(),
                                "severity",
                                finding.severity().toString(),
                                "path",
                                finding.path(),
                                "line",
                                finding.line(),
                                "raised_by",
                                finding.raisedBy(),
                                "was",
                                finding.state().toString(),
                                "reason",
                                reason)));
    }

    private List<String> raise(
            ReviewChanges.Locked locked, List<Stored> known, AnchoredFindings anchored, @Nullable String by)
            throws SQLException {
        List<String> ids = new ArrayList<>();
        int last = known.isEmpty() ? 0 : known.getLast().finding().number();
        for (int i = 0; i < anchored.raised().size(); i++) {
            Remarks.Raised raised = anchored.raised().get(i);
            Anchor anchor = anchored.anchors().get(i);
            Optional<Finding> before = known.stream()
                    .filter(stored ->
                            stored.unsettled() && stored.now() != null && stored.repeats(stored.now(), raised, by))
                    .map(Stored::finding)
                    .findFirst();
            if (before.isPresent()) {
                ids.add(before.get().id());
                continue;
            }
            if (++last > Remarks.MAX_OF_A_REVIEW) {
                throw new RefusedException(
                        RefusalCode.TOO_LARGE,
                        "A review has at most " + Remarks.MAX_OF_A_REVIEW + " findings: describe the rest in reason");
            }
            FindingTable.add(locked.transaction(), locked.review(), last, raised, anchor, by, locked.now());
            ids.add(Finding.id(last));
        }
        return ids;
    }

    /** The ids of these findings, if everything that the remarks say was already said with that verdict. */
    public static Optional<List<String>> saidBefore(ReviewChanges.Locked locked, Remarks remarks, Verdict verdict)
            throws SQLException {
        if (remarks.equals(Remarks.NONE)) {
            return Optional.of(List.of());
        }
        List<Stored> known = FindingTable.all(locked.transaction(), locked.review().id);
        List<String> ids = remarks.raised().stream()
                .flatMap(raised -> known.stream()
                        .filter(stored -> stored.repeats(stored.raised(), raised, verdict.reviewer())
                                || (stored.now() != null && stored.repeats(stored.now(), raised, verdict.reviewer())))
                        .map(stored -> stored.finding().id())
                        .limit(1))
                .toList();
        boolean settled = Stream.concat(
                        remarks.resolved().stream(), remarks.waived().stream().map(Remarks.Waiver::id))
                .allMatch(id ->
                        known.stream().anyMatch(stored -> stored.finding().id().equals(id) && !stored.unsettled()));
        return settled && ids.size() == remarks.raised().size() ? Optional.of(ids) : Optional.empty();
    }

    /** All findings of this review; sent in one round trip with other queries. */
    public static Pending<List<Finding>> ask(ReviewChanges.Locked locked) throws SQLException {
        return FindingTable.shown(locked.transaction(), locked.review().id);
    }

    /** @throws RefusedException naming what must be fixed, resolved or waived first */
    public static void checkNoneBlocks(List<Finding> all) {
        List<Finding> blocking = all.stream().filter(Finding::blocks).toList();
        if (blocking.isEmpty()) {
            return;
        }
        String first = blocking.getFirst().id();
        throw new RefusedException(
                RefusalCode.BAD_STATE,
                "Approval blocked by " + (blocking.size() == 1 ? "finding " : blocking.size() + " findings: ")
                        + blocking.stream()
                                .limit(MAX_NAMED)
                                .map(Finding::described)
                                .collect(Collectors.joining("; "))
                        + (blocking.size() > MAX_NAMED ? "; ..." : "")
                        + ". If it is fixed, the reviewer who raised it resolves it: resolved: [\"" + first
                        + "\"]; any other reviewer waives it: waived: [{\"id\": \"" + first
                        + "\", \"reason\": \"...\"}]. Otherwise request changes.",
                Map.of("findings", blocking.stream().map(Finding::id).toList()));
    }
}
