package dev.holdfast.work.beads;

import dev.holdfast.work.WorkItems;

/** Work items from and to a {@code .beads/issues.jsonl}. */
public record Beads(BeadsImport importing, BeadsExport exporting) {
    public static Beads of(WorkItems work) {
        return new Beads(
                new BeadsImport(work.changes(), new BeadsUpsert(work)),
                new BeadsExport(work.changes().store()));
    }
}
