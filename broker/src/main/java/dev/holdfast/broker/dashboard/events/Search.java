package dev.holdfast.broker.dashboard.events;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventTail;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Searches events, newest first, and looks at no more than {@code MAX} at a time: to look further back, search again
 * from there.
 */
record Search(EventTail tail) {
    static final int SHOWN = 100;
    private static final int AT_ONCE = 1_000;
    private static final int MAX = 10_000;
    private static final long STEPS = 50_000_000;

    /** What to look for; empty: anything. */
    record Criteria(String type, String resource, String actor, String expression) {
        boolean any() {
            return (type + resource + actor + expression).isEmpty();
        }
    }

    /**
     * @param looked the first batch that was looked at, for the histogram
     * @param next where the search continues; null: there is nothing older
     * @param problem what is wrong with the expression; null: nothing
     */
    record Found(
            List<Event> events,
            List<Event> looked,
            int searched,
            @Nullable Long next,
            @Nullable String problem) {}

    Found find(Criteria criteria, long before) {
        List<Event> found = new ArrayList<>();
        List<Event> looked = new ArrayList<>();
        int searched = 0;
        long from = before;
        // a whole resource name has an index; the beginning of one does not
        String exact = criteria.resource().matches("[a-z]+:.+") ? criteria.resource() : null;
        try {
            Expression expression =
                    criteria.expression().isEmpty() ? null : new Expression(criteria.expression(), STEPS);
            while (searched < MAX) {
                List<Event> next = tail.before(from, exact, AT_ONCE);
                if (searched == 0) {
                    looked.addAll(next);
                }
                for (Event event : next) {
                    searched++;
                    from = event.id();
                    if (matches(event, criteria, exact != null, expression)) {
                        found.add(event);
                        if (found.size() == SHOWN) {
                            return new Found(found, looked, searched, from, null);
                        }
                    }
                }
                if (next.size() < AT_ONCE) {
                    return new Found(found, looked, searched, null, null);
                }
            }
            return new Found(found, looked, searched, from, null);
        } catch (InvalidException e) {
            return new Found(List.of(), looked, searched, null, e.getMessage());
        }
    }

    private static boolean matches(Event event, Criteria criteria, boolean exact, @Nullable Expression expression) {
        return (criteria.type().isEmpty() || event.type().equals(criteria.type()))
                && (exact || criteria.resource().isEmpty() || event.resource().startsWith(criteria.resource()))
                && (criteria.actor().isEmpty() || criteria.actor().equals(event.actor()))
                && (expression == null
                        || expression.finds(
                                event.type() + " " + event.resource() + " " + event.actor() + " " + event.detail()));
    }
}
