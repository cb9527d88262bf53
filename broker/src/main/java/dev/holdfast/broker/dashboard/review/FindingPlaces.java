package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.ChangeView;
import dev.holdfast.broker.dashboard.diff.DiffRow;
import dev.holdfast.broker.dashboard.diff.FileView;
import dev.holdfast.review.diff.DiffLine;
import dev.holdfast.review.diff.Side;
import dev.holdfast.review.finding.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where findings appear on a page: below the line that they are about, never below another. If that line is not shown,
 * or no longer exists, they appear at the head of their file.
 */
public final class FindingPlaces {
    private record Spot(int file, String side, String number) {}

    private final Map<Spot, List<FindingView>> below = new HashMap<>();
    private final Map<Spot, List<FindingView>> about = new HashMap<>();
    private final Map<Integer, List<FindingView>> head = new HashMap<>();
    private final int round;
    private final @Nullable Long against;

    /**
     * @param round whose content is the new side of the change
     * @param against the round whose content is the old side; null: the old side is the content before the proposal
     */
    FindingPlaces(List<FindingView> findings, ChangeView change, int round, @Nullable Long against) {
        this.round = round;
        this.against = against;
        for (FileView file : change.files()) {
            findings.stream().filter(one -> isIn(file, one.finding())).forEach(one -> place(file, one));
        }
    }

    static boolean isIn(FileView file, Finding finding) {
        return finding.path().equals(file.path())
                || (finding.side() == Side.OLD
                        && finding.path().equals(file.change().oldPath()));
    }

    private void place(FileView file, FindingView one) {
        List<DiffLine> lines = one.finding().ofWholeFile()
                ? List.of()
                : file.change().hunks().stream()
                        .flatMap(hunk -> hunk.lines().stream())
                        .toList();
        Optional<Place> found = place(lines, one.finding());
        found.map(place -> spot(file, place.last()))
                .map(spot -> below.computeIfAbsent(spot, _ -> new ArrayList<>()))
                .orElseGet(() -> head.computeIfAbsent(file.number(), _ -> new ArrayList<>()))
                .add(one);
        found.ifPresent(place -> lines.stream()
                .filter(line -> place.covers(line, one.finding().lines()))
                .forEach(line -> about.computeIfAbsent(spot(file, line), _ -> new ArrayList<>())
                        .add(one)));
    }

    /** The last line that a finding is about, and the side that its number is of. */
    private record Place(DiffLine last, Side side) {
        boolean covers(DiffLine line, int lines) {
            int above = last.number(side) - line.number(side);
            return line.kind().isOn(side) && above >= 0 && above < lines;
        }
    }

    private Optional<Place> place(List<DiffLine> lines, Finding finding) {
        List<DiffLine> same =
                lines.stream().filter(line -> finding.isAbout(line.text())).toList();
        return Stream.concat(
                        same.stream().filter(line -> isNew(line, finding)).map(line -> new Place(line, Side.NEW)),
                        same.stream().filter(line -> isOld(line, finding)).map(line -> new Place(line, Side.OLD)))
                .findFirst();
    }

    private static Spot spot(FileView file, DiffLine line) {
        return line.kind() == DiffLine.Kind.REMOVED
                ? new Spot(file.number(), "old", Integer.toString(line.oldNumber()))
                : new Spot(file.number(), "new", Integer.toString(line.newNumber()));
    }

    private boolean isNew(DiffLine line, Finding finding) {
        return line.kind() != DiffLine.Kind.REMOVED
                && finding.side() == Side.NEW
                && line.newNumber() == (finding.round() == round ? finding.raisedLine() : finding.line());
    }

    private boolean isOld(DiffLine line, Finding finding) {
        if (line.kind() == DiffLine.Kind.ADDED) {
            return false;
        }
        return against == null
                ? finding.side() == Side.OLD && line.oldNumber() == finding.line()
                : finding.side() == Side.NEW && finding.round() == against && line.oldNumber() == finding.raisedLine();
    }

    List<FindingView> below(FileView file, DiffRow.Line line) {
        return below.getOrDefault(new Spot(file.number(), line.side(), line.number()), List.of());
    }

    /** The findings that are about this line, alone or among others. */
    List<FindingView> about(FileView file, DiffRow.Line line) {
        return about.getOrDefault(new Spot(file.number(), line.side(), line.number()), List.of());
    }

    List<FindingView> atHead(FileView file) {
        return head.getOrDefault(file.number(), List.of());
    }
}
