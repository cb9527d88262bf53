package dev.holdfast.review.diff;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Carries findings' lines from one round's diff to the next one's. Create it for two rounds, then ask it for each
 * finding.
 */
public final class Anchors {
    private final Diff before;
    private final Diff after;
    private final Map<Place, FilePair> pairs = new ConcurrentHashMap<>();
    private final Map<Side, Set<String>> changedNow = new ConcurrentHashMap<>();

    private record Place(int file, Side side) {}

    private Anchors(Diff before, Diff after) {
        this.before = before;
        this.after = after;
    }

    public static Anchors between(Diff before, Diff after) {
        return new Anchors(before, after);
    }

    /** Returns the anchor of a line in a diff; empty if the diff does not show that line. */
    public static Optional<Anchor> at(Diff diff, String path, Side side, int line) {
        return at(diff, path, side, line, line);
    }

    /** Returns the anchor of the last of these lines; empty if the diff does not show them in one piece. */
    public static Optional<Anchor> at(Diff diff, String path, Side side, int start, int line) {
        for (FileChange file : diff.files()) {
            if (path.equals(path(file, side))) {
                if (line == Anchor.WHOLE_FILE) {
                    return Optional.of(new Anchor(path, side, line, ""));
                }
                for (Hunk hunk : file.hunks()) {
                    Optional<Anchor> found = line(hunk, side, line)
                            .filter(_ -> hunk.shows(side, start))
                            .map(shown -> new Anchor(path, side, line, shown.text()));
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Returns what became of an anchor of the earlier round. An anchor that the earlier round does not have is gone.
     */
    public CarriedAnchor carry(Anchor anchor) {
        Side side = anchor.side();
        for (int index = 0; index < before.files().size(); index++) {
            FileChange file = before.files().get(index);
            FileChange next = anchor.path().equals(path(file, side)) ? next(file, side) : null;
            if (next != null && anchor.isWholeFile()) {
                return carryFile(file, next, side);
            }
            if (next != null) {
                FilePair pair = pairs.computeIfAbsent(new Place(index, side), place -> new FilePair(file, next, side));
                int place = pair.place(anchor);
                if (place >= 0) {
                    return pair.carry(place);
                }
            }
        }
        return new CarriedAnchor.Gone();
    }

    /** A finding about a file holds as long as nothing in the file's change is different. */
    private static CarriedAnchor carryFile(FileChange file, FileChange next, Side side) {
        String path = path(next, side);
        if (path == null) {
            return new CarriedAnchor.Gone();
        }
        return file.lines().equals(next.lines()) && Objects.equals(file.binary(), next.binary())
                ? new CarriedAnchor.StillThere(new Anchor(path, side, Anchor.WHOLE_FILE, ""))
                : new CarriedAnchor.Outdated();
    }

    /**
     * Returns whether a line that is {@link CarriedAnchor.Gone gone} is not in the later round in any form. An added or
     * removed line may have moved: then it is added or removed elsewhere. A context line may just not be shown: then
     * its file is still changed.
     */
    public boolean isDropped(Anchor anchor) {
        Side side = anchor.side();
        boolean changed = before.files().stream()
                .filter(file -> anchor.path().equals(path(file, side)))
                .flatMap(file -> file.hunks().stream())
                .flatMap(hunk -> line(hunk, side, anchor.line()).stream())
                .anyMatch(line ->
                        line.kind() != DiffLine.Kind.CONTEXT && line.text().equals(anchor.text()));
        return changed
                ? !changedNow.computeIfAbsent(side, this::changedNow).contains(anchor.text())
                : after.files().stream()
                        .noneMatch(file -> anchor.path().equals(file.oldPath())
                                || anchor.path().equals(file.newPath()));
    }

    private Set<String> changedNow(Side side) {
        return after.files().stream()
                .flatMap(file -> file.hunks().stream())
                .flatMap(hunk -> hunk.lines().stream())
                .filter(line ->
                        line.kind() != DiffLine.Kind.CONTEXT && line.kind().isOn(side))
                .map(DiffLine::text)
                .collect(Collectors.toSet());
    }

    private static Optional<DiffLine> line(Hunk hunk, Side side, int number) {
        return hunk.shows(side, number)
                ? hunk.lines().stream()
                        .filter(line -> line.kind().isOn(side) && line.number(side) == number)
                        .findFirst()
                : Optional.empty();
    }

    /** The same file in the later round: by its path on that side, otherwise by its origin. */
    private @Nullable FileChange next(FileChange file, Side side) {
        String path = path(file, side);
        for (FileChange candidate : after.files()) {
            if (path != null && path.equals(path(candidate, side))) {
                return candidate;
            }
        }
        for (FileChange candidate : after.files()) {
            if (file.oldPath() != null && file.oldPath().equals(candidate.oldPath())) {
                return candidate;
            }
        }
        return null;
    }

    private static @Nullable String path(FileChange file, Side side) {
        return side == Side.OLD ? file.oldPath() : file.newPath();
    }

    /** One side of a file in both rounds; its lines are matched once. */
    private static final class FilePair {
        private final Side side;
        private final @Nullable String pathNow;
        private final List<DiffLine> earlier;
        private final List<DiffLine> later;
        private final int[] laterOfEarlier;

        FilePair(FileChange file, FileChange next, Side side) {
            this.side = side;
            this.pathNow = Anchors.path(next, side);
            this.earlier = lines(file, side);
            this.later = lines(next, side);
            this.laterOfEarlier = PatienceDiff.of(
                    earlier.stream().map(DiffLine::text).toList(),
                    later.stream().map(DiffLine::text).toList());
        }

        private static List<DiffLine> lines(FileChange file, Side side) {
            return file.lines().stream().filter(line -> line.kind().isOn(side)).toList();
        }

        int place(Anchor anchor) {
            for (int at = 0; at < earlier.size(); at++) {
                DiffLine line = earlier.get(at);
                if (line.number(side) == anchor.line() && line.text().equals(anchor.text())) {
                    return at;
                }
            }
            return -1;
        }

        CarriedAnchor carry(int place) {
            int now = laterOfEarlier[place];
            if (pathNow == null) {
                return new CarriedAnchor.Gone();
            }
            if (now < 0) {
                return isPlaceShown(place, -1) || isPlaceShown(place, 1)
                        ? new CarriedAnchor.Outdated()
                        : new CarriedAnchor.Gone();
            }
            if (!sameNeighbour(place, now, -1) || !sameNeighbour(place, now, 1)) {
                return new CarriedAnchor.Outdated();
            }
            DiffLine line = later.get(now);
            return new CarriedAnchor.StillThere(new Anchor(pathNow, side, line.number(side), line.text()));
        }

        /** Whether the later diff shows any line of the same hunk in that direction. */
        private boolean isPlaceShown(int place, int step) {
            int at = neighbour(earlier, place, step);
            while (at >= 0 && laterOfEarlier[at] < 0) {
                at = neighbour(earlier, at, step);
            }
            return at >= 0;
        }

        /** A neighbour that either diff does not show counts as unchanged. */
        private boolean sameNeighbour(int place, int now, int step) {
            int was = neighbour(earlier, place, step);
            int is = neighbour(later, now, step);
            return was < 0
                    || is < 0
                    || earlier.get(was).text().equals(later.get(is).text());
        }

        /** The line before or after, if the diff shows it, which its number tells; otherwise -1. */
        private int neighbour(List<DiffLine> lines, int place, int step) {
            int at = place + step;
            boolean shown = at >= 0
                    && at < lines.size()
                    && lines.get(at).number(side) == lines.get(place).number(side) + step;
            return shown ? at : -1;
        }
    }
}
