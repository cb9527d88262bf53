package dev.holdfast.cli.imports.predecessor;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reconstructs the verdicts on a review from its events. The file keeps only the last verdict's reason and only the
 * last content. A verdict on earlier content is marked as such, so that it does not count as an approval of the present
 * content.
 */
record Verdicts(SourceRow review, long round, Instant updated) {
    private static final Set<String> VERDICTS = Set.of("approved", "changes_requested", "comment");

    /** What is known about a verdict. */
    private static final class Entry {
        private final String verdict;
        private final long round;
        private final int content;
        private final boolean assumed;
        private final Instant at;
        private @Nullable String reason;
        private @Nullable String reviewer;
        private @Nullable Number generation;
        private @Nullable String counterPatch;
        private @Nullable String counterPatchStatus;

        private Entry(String verdict, long round, int content, boolean assumed, Instant at) {
            this.verdict = verdict;
            this.round = round;
            this.content = content;
            this.assumed = assumed;
            this.at = at;
        }
    }

    List<Map<String, @Nullable Object>> of(List<SourceRow> events) {
        List<Entry> entries = new ArrayList<>();
        int content = read(events, entries);
        long revisions = events.stream()
                .filter(event -> "review_revised".equals(event.word("event_type")))
                .count();
        long unseen = Math.max(0, round - 1 - revisions); // rounds from before events were recorded
        if (!entries.isEmpty() && entries.getLast().content == content && entries.getLast().reason == null) {
            entries.getLast().reason = review.text("verdict_reason");
        }
        addVerdictFromStatus(entries, revisions, content);
        addCounterPatch(entries, revisions, content);
        return entries.stream().map(entry -> json(entry, unseen, content)).toList();
    }

    /** Returns how often the content was changed. */
    private int read(List<SourceRow> events, List<Entry> entries) {
        String holder = null;
        Number generation = null;
        long revisions = 0;
        int content = 0;
        for (SourceRow event : events) {
            Map<?, ?> metadata = event.members("metadata");
            String type = Objects.requireNonNullElse(event.word("event_type"), "");
            switch (type) {
                case "review_claimed" -> {
                    holder = event.word("actor");
                    generation = metadata.get("claim_generation") instanceof Number given ? given : null;
                }
                case "review_revised" -> {
                    revisions++;
                    content++;
                }
                case "counter_patch_accepted" -> content++;
                case "verdict_submitted", "verdict_comment", "review_auto_rejected" -> {
                    Entry entry = entry(event, metadata, revisions, content);
                    if (entry != null) {
                        boolean byBroker = type.equals("review_auto_rejected");
                        entry.reviewer = byBroker
                                ? event.word("actor")
                                : metadata.get("reviewer_id") instanceof String given ? given : holder;
                        entry.generation = metadata.get("claim_generation") instanceof Number given
                                ? given
                                : byBroker ? null : generation;
                        entries.add(entry);
                    }
                }
                default -> {}
            }
        }
        return content;
    }

    private @Nullable Entry entry(SourceRow event, Map<?, ?> metadata, long revisions, int content) {
        Object given = metadata.get("verdict");
        String verdict = "verdict_comment".equals(event.word("event_type"))
                ? "comment"
                : given instanceof String word ? word : event.word("new_status");
        Instant at = event.time("created_at");
        if (verdict == null || !VERDICTS.contains(verdict)) {
            return null;
        }
        Entry entry = new Entry(verdict, revisions + 1, content, false, at == null ? updated : at);
        entry.reason = metadata.get("reason") instanceof String reason ? reason : null;
        entry.counterPatchStatus = Boolean.TRUE.equals(metadata.get("has_counter_patch")) ? "superseded" : null;
        return entry;
    }

    private void addVerdictFromStatus(List<Entry> entries, long revisions, int content) {
        String status = review.word("status");
        String verdict = "closed".equals(status) ? "approved" : status;
        boolean judged = "approved".equals(verdict) || "changes_requested".equals(verdict);
        boolean known = entries.reversed().stream()
                .filter(entry -> !entry.verdict.equals("comment"))
                .findFirst()
                .filter(entry -> entry.verdict.equals(verdict) && entry.round == revisions + 1)
                .isPresent();
        if (judged && !known && verdict != null) {
            // the predecessor allowed accepting a counter-patch after the verdict
            boolean replaced = "accepted".equals(review.word("counter_patch_status"));
            Entry entry = new Entry(verdict, revisions + 1, replaced ? -1 : content, true, updated);
            entry.reason = review.text("verdict_reason");
            entry.reviewer = review.word("claimed_by");
            entries.add(entry);
        }
    }

    /** The file has at most one counter-patch, of the current round; of one already decided, only the outcome. */
    private void addCounterPatch(List<Entry> entries, long revisions, int content) {
        String status = review.word("counter_patch_status");
        String patch = SourceReview.nothingIfEmpty(review.text("counter_patch"));
        boolean pending = "pending".equals(status) && patch != null;
        if (!pending && !"accepted".equals(status) && !"rejected".equals(status)) {
            return;
        }
        List<Entry> current =
                entries.stream().filter(entry -> entry.round == revisions + 1).toList();
        Entry bringer = current.reversed().stream()
                .filter(entry -> entry.counterPatchStatus != null)
                .findFirst()
                .orElse(current.isEmpty() ? null : current.getLast());
        if (bringer == null) {
            bringer = new Entry("comment", revisions + 1, content, true, updated);
            bringer.reason = review.text("verdict_reason");
            bringer.reviewer = review.word("claimed_by");
            entries.add(bringer);
        }
        bringer.counterPatchStatus = status;
        bringer.counterPatch = pending ? patch : null;
    }

    private Map<String, @Nullable Object> json(Entry entry, long unseen, int content) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("verdict", entry.verdict);
        json.put("round", Math.min(round, entry.round + unseen));
        json.put("on_current", entry.content == content);
        json.put("assumed", entry.assumed);
        SourceReview.put(json, "reason", entry.reason);
        SourceReview.put(json, "reviewer", entry.reviewer);
        SourceReview.put(json, "claim_generation", entry.generation);
        SourceReview.put(json, "counter_patch", entry.counterPatch);
        SourceReview.put(json, "counter_patch_status", entry.counterPatchStatus);
        json.put("at", entry.at.toString());
        return json;
    }
}
