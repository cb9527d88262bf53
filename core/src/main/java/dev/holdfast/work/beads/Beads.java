package dev.holdfast.work.beads;

import dev.holdfast.work.WorkItems;

/** Imports work items from and exports them to a {@code .beads/issues.jsonl}. */
public record Beads(BeadsImport importing, BeadsExport exporting) {
    public static Beads of(WorkItems work) {
        return new Beads(
                new BeadsImport(work.changes(), new BeadsUpsert(work)),
                new BeadsExport(work.changes().store()));
    }
}
