package dev.holdfast.review.finding;

import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.diff.Anchor;
import dev.holdfast.review.diff.Anchors;
import dev.holdfast.review.diff.CarriedAnchor;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.DiffProblem;
import dev.holdfast.review.finding.FindingTable.Place;
import dev.holdfast.review.finding.FindingTable.Stored;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.Revision;
import dev.holdfast.review.record.RevisionTable;
import dev.holdfast.store.Store;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Locates a review's findings in new content: computed outside any transaction, recorded in the one that stores the
 * content.
 *
 * <p>Each finding is traced directly from the content it was raised on, not round by round. So a finding whose lines
 * come back is open again.
 */
public final class FindingCarryOver {
    private static final int LOOKS = 5;

    private record RaisedOn(int round, int number) {}

    private record Whereabouts(Place place, @Nullable Anchor anchor) {
        static final Whereabouts UNKNOWN = new Whereabouts(Place.OUTDATED, null);
    }

    private final Map<Integer, Whereabouts> ofFinding;

    private FindingCarryOver(Map<Integer, Whereabouts> ofFinding) {
        this.ofFinding = ofFinding;
    }

    /**
     * Stores new content; the change returns empty if it must be tried again because a finding was raised meanwhile.
     */
    public static <T> T with(
            Store store, String id, @Nullable String diff, Function<FindingCarryOver, Optional<T>> change) {
        for (int look = 0; look < LOOKS; look++) {
            Optional<T> made = change.apply(to(store, id, diff));
            if (made.isPresent()) {
                return made.get();
            }
        }
        throw new RefusedException(RefusalCode.BUSY, "New findings kept arriving in the meantime; try again");
    }

    private static FindingCarryOver to(Store store, String id, @Nullable String diff) {
        if (!ReviewChanges.couldBe(id)) {
            return new FindingCarryOver(Map.of());
        }
        Map<RaisedOn, @Nullable String> diffs = new HashMap<>();
        List<Stored> findings = store.read(transaction -> {
            List<Stored> unsettled = unsettled(FindingTable.all(transaction, id));
            for (Stored finding : unsettled) {
                RaisedOn content = content(finding);
                if (!diffs.containsKey(content)) {
                    diffs.put(
                            content,
                            RevisionTable.find(transaction, id, content.round(), content.number())
                                    .map(Revision::diff)
                                    .orElse(null));
                }
            }
            return unsettled;
        });
        if (findings.isEmpty()) {
            return new FindingCarryOver(Map.of());
        }
        Optional<Diff> after = read(diff);
        Map<RaisedOn, Optional<Origin>> origins = new HashMap<>();
        Map<Integer, Whereabouts> found = new HashMap<>();
        for (Stored finding : findings) {
            Optional<Origin> origin =
                    origins.computeIfAbsent(content(finding), content -> Origin.of(read(diffs.get(content)), after));
            found.put(
                    finding.finding().number(),
                    origin.map(from -> from.carry(
                                    finding.raised(), finding.finding().lines()))
                            .orElse(Whereabouts.UNKNOWN));
        }
        return new FindingCarryOver(found);
    }

    /** Content that findings were raised on, compared with the new content. */
    private record Origin(Diff before, Anchors anchors) {
        static Optional<Origin> of(Optional<Diff> before, Optional<Diff> after) {
            return before.flatMap(from -> after.map(to -> new Origin(from, Anchors.between(from, to))));
        }

        /** Of several lines, either all stay together or all are gone; otherwise somebody must look. */
        Whereabouts carry(Anchor raised, int lines) {
            Whereabouts last = carry(raised);
            for (int i = 1; i < lines; i++) {
                Whereabouts other = carry(new Anchor(raised.path(), raised.side(), raised.line() - i, ""));
                if (other.place() != last.place() || !isAbove(other.anchor(), last.anchor(), i)) {
                    return Whereabouts.UNKNOWN;
                }
            }
            return last;
        }

        private static boolean isAbove(@Nullable Anchor one, @Nullable Anchor other, int by) {
            return one == null || other == null || one.line() + by == other.line();
        }

        private Whereabouts carry(Anchor raised) {
            return Anchors.at(before, raised.path(), raised.side(), raised.line())
                    .map(anchor -> switch (anchors.carry(anchor)) {
                        case CarriedAnchor.StillThere there -> new Whereabouts(Place.THERE, there.now());
                        case CarriedAnchor.Outdated() -> Whereabouts.UNKNOWN;
                        case CarriedAnchor.Gone() ->
                            anchors.isDropped(anchor) ? new Whereabouts(Place.GONE, null) : Whereabouts.UNKNOWN;
                    })
                    .orElse(Whereabouts.UNKNOWN);
        }
    }

    private static Optional<Diff> read(@Nullable String diff) {
        return diff == null
                ? Optional.empty()
                : switch (Diff.parse(diff)) {
                    case Diff read -> Optional.of(read);
                    case DiffProblem _ -> Optional.empty();
                };
    }

    private static RaisedOn content(Stored finding) {
        return new RaisedOn(finding.finding().round(), finding.revisionNumber());
    }

    private static List<Stored> unsettled(List<Stored> findings) {
        return findings.stream().filter(Stored::unsettled).toList();
    }

    /**
     * Records it in the transaction that stores the new content; returns false if a finding was raised meanwhile, so
     * that it must be computed again.
     *
     * @param round of the new content
     */
    public boolean note(ReviewChanges.Locked locked, int round) throws SQLException {
        List<Stored> unsettled = unsettled(FindingTable.all(locked.transaction(), locked.review().id));
        for (Stored finding : unsettled) {
            Whereabouts now = ofFinding.get(finding.finding().number());
            if (now == null) {
                return false;
            }
            FindingTable.move(locked.transaction(), locked.review().id, finding, round, now.place(), now.anchor());
        }
        return true;
    }
}
