package dev.holdfast.claim;

import dev.holdfast.claim.ClaimOutcome.Displaced;
import dev.holdfast.event.Events;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The events of claims: one for each change, none for a renewal. */
final class ClaimEvents {
    private final Events events;

    ClaimEvents(Events events) {
        this.events = events;
    }

    void granted(Transaction transaction, ResourceRow row, @Nullable Displaced displaced, long now)
            throws SQLException {
        Map<String, Object> detail = new TreeMap<>();
        Under under = row.under;
        if (under != null) {
            detail.put("under", under.resource().toString());
        }
        if (displaced != null) {
            detail.put("displaced", displaced.holder());
            detail.put("displaced_generation", displaced.generation());
        }
        String type = displaced == null ? "claimed" : "taken_over";
        append(transaction, row, now, type, row.holder, row.shownGeneration(), detail);
    }

    void ended(Transaction transaction, ResourceRow row, Ending ending, boolean parked, long now) throws SQLException {
        String type = parked ? "parked" : ending.how().toString();
        append(transaction, row, now, type, row.endedBy, row.endedGeneration, ending.eventDetail(row.attempts));
    }

    void takenBack(Transaction transaction, ResourceRow row, String displaced, String reason, boolean parked, long now)
            throws SQLException {
        append(
                transaction,
                row,
                now,
                parked ? "parked" : "reclaimed",
                null,
                row.generation,
                Map.of("displaced", displaced, "reason", reason, "attempts", row.attempts));
    }

    void created(Transaction transaction, ResourceRow row, long now) throws SQLException {
        append(transaction, row, now, "created", null, null, Map.of());
    }

    void due(Transaction transaction, ResourceRow row, long now) throws SQLException {
        append(transaction, row, now, "due", null, row.generation, Map.of());
    }

    void unblocked(Transaction transaction, ResourceRow row, long now) throws SQLException {
        append(transaction, row, now, "unblocked", null, row.generation, Map.of());
    }

    private void append(
            Transaction transaction,
            ResourceRow row,
            long now,
            String type,
            @Nullable String actor,
            @Nullable Long generation,
            Map<String, ?> detail)
            throws SQLException {
        events.append(transaction, now, type, row.resource.toString(), actor, generation, json(detail));
    }

    /** Null when there is nothing to tell. */
    static @Nullable String json(Map<String, ?> detail) {
        return detail.isEmpty() ? null : JsonMapper.shared().writeValueAsString(new TreeMap<>(detail));
    }
}
