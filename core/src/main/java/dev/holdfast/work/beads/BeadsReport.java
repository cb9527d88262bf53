package dev.holdfast.work.beads;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What happened to the lines of an import. */
public final class BeadsReport {
    private int created;
    private int updated;
    private int unchanged;
    private int memories;
    private int skipped;
    private final List<Problem> problems = new ArrayList<>();

    /** A line that was not imported as it is, and why. */
    public record Problem(int line, String text) {}

    public int created() {
        return created;
    }

    public int updated() {
        return updated;
    }

    public int unchanged() {
        return unchanged;
    }

    /** Lines that are not issues, kept for the next export. */
    public int memories() {
        return memories;
    }

    /** Headers and tombstones. */
    public int skipped() {
        return skipped;
    }

    /** In line order. */
    public List<Problem> problems() {
        return problems.stream().sorted(Comparator.comparingInt(Problem::line)).toList();
    }

    void countCreated() {
        created++;
    }

    /** Counts a known line; changed if it brought anything new. */
    void countKnown(boolean changed) {
        if (changed) {
            updated++;
        } else {
            unchanged++;
        }
    }

    void countMemory() {
        memories++;
    }

    void countSkipped() {
        skipped++;
    }

    void problem(int line, String text) {
        problems.add(new Problem(line, text));
    }

    void add(BeadsReport other) {
        created += other.created;
        updated += other.updated;
        unchanged += other.unchanged;
        memories += other.memories;
        skipped += other.skipped;
        problems.addAll(other.problems);
    }
}
