package dev.holdfast.claim;

import dev.holdfast.claim.ClaimOutcome.Displaced;
import dev.holdfast.event.Events;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The events of claims: one per change, none for a renewal. */
final class ClaimEvents {
    static final String GRANTED = "claimed";

    private final Events events;

    ClaimEvents(Events events) {
        this.events = events;
    }

    void granted(Transaction transaction, ResourceRow row, @Nullable Displaced displaced, long now)
            throws SQLException {
        Map<String, Object> detail = new TreeMap<>();
        OuterClaim under = row.under;
        if (under != null) {
            detail.put("under", under.resource().toString());
        }
        if (displaced != null) {
            detail.put("displaced", displaced.holder());
            detail.put("displaced_generation", displaced.generation());
        }
        String type = displaced == null ? GRANTED : "taken_over";
        append(transaction, row, now, type, row.holder, row.effectiveGeneration(), detail);
    }

    void ended(
            Transaction transaction,
            ResourceRow row,
            Ending ending,
            boolean parked,
            @Nullable DomainEvent event,
            long now)
            throws SQLException {
        if (event != null) {
            append(transaction, row, now, row.endedGeneration, event);
            return;
        }
        String type = parked ? "parked" : ending.how().toString();
        append(transaction, row, now, type, row.endedBy, row.endedGeneration, ending.eventDetail(row.attempts));
    }

    /** A claim that was taken from its holder. */
    record TakenBack(ResourceRow row, String from, boolean parked) {}

    /** @param event the domain's own event instead of the usual one */
    void reclaimed(Transaction transaction, List<TakenBack> all, String reason, @Nullable DomainEvent event, long now)
            throws SQLException {
        List<Events.New> appended = new ArrayList<>();
        for (TakenBack one : all) {
            DomainEvent domain = event != null
                    ? event
                    : new DomainEvent(
                            one.parked ? "parked" : "reclaimed",
                            null,
                            Map.of("displaced", one.from, "reason", reason, "attempts", one.row.attempts));
            appended.add(event(one.row, domain, one.row.generation, now));
        }
        events.appendAll(transaction, appended);
    }

    /** Creates the resource and, if it is held already, grants it; see {@link CreateStatement#ask}. */
    Pending<Boolean> askCreate(Transaction transaction, ResourceRow row, DomainEvent event, Consumer<Boolean> then)
            throws SQLException {
        return CreateStatement.ask(transaction, row, event, events, then);
    }

    void created(Transaction transaction, ResourceRow row, DomainEvent event, long now) throws SQLException {
        append(transaction, row, now, null, event);
    }

    /** Appends the event that the resource's domain supplies. */
    void append(Transaction transaction, ResourceRow row, long now, @Nullable Long generation, DomainEvent event)
            throws SQLException {
        append(transaction, row, now, event.type(), event.actor(), generation, event.detail());
    }

    /** Appends, for each of these rows, its domain's event about the ended claim. */
    void appendAll(Transaction transaction, List<ResourceRow> rows, List<DomainEvent> event, long now)
            throws SQLException {
        List<Events.New> all = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            ResourceRow row = rows.get(i);
            DomainEvent one = event.get(i);
            all.add(event(row, one, row.endedGeneration, now));
        }
        events.appendAll(transaction, all);
    }

    private static Events.New event(ResourceRow row, DomainEvent event, @Nullable Long generation, long now) {
        return new Events.New(
                now, event.type(), row.resource.toString(), event.actor(), generation, json(event.detail()));
    }

    void due(Transaction transaction, ResourceRow row, long now) throws SQLException {
        append(transaction, row, now, "due", null, row.generation, Map.of());
    }

    void blocked(Transaction transaction, ResourceRow row, long now) throws SQLException {
        append(transaction, row, now, "blocked", null, row.generation, Map.of());
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

    /** Null when there is nothing to record. */
    static @Nullable String json(Map<String, ?> detail) {
        return detail.isEmpty() ? null : JsonMapper.shared().writeValueAsString(new TreeMap<>(detail));
    }
}
