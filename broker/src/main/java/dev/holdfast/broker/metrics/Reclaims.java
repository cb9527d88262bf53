package dev.holdfast.broker.metrics;

import dev.holdfast.event.Event;
import java.util.List;
import java.util.function.Consumer;

/** Counts claims that were taken from their holders, by this broker's own events: every broker counts its own. */
public final class Reclaims implements Consumer<Event> {
    /** Swept after expiry, taken over by a claim, soft claims whose outer one ended, and whatever else is given. */
    static final List<String> REASONS = List.of("expired", "taken_over", "outer_over", "other");

    private final Meters meters;
    private final int origin;

    public Reclaims(Meters meters, int origin) {
        this.meters = meters;
        this.origin = origin;
    }

    @Override
    public void accept(Event event) {
        if (event.origin() == origin) {
            switch (event.type()) {
                case "taken_over" -> meters.reclaimed(kind(event), "taken_over");
                case "reclaimed" -> meters.reclaimed(kind(event), reason(event));
                case "parked" -> {
                    if (event.actor() == null) { // else its holder reported a failure
                        meters.reclaimed(kind(event), "expired");
                    }
                }
                default -> {}
            }
        }
    }

    private static String kind(Event event) {
        return event.resource().substring(0, event.resource().indexOf(':'));
    }

    /** Reasons are free text; the label has few values. */
    private static String reason(Event event) {
        String detail = event.detail() == null ? "" : event.detail();
        if (detail.contains("\"reason\":\"expired\"")) {
            return "expired";
        }
        return detail.contains("\"reason\":\"outer claim over\"") ? "outer_over" : "other";
    }
}
