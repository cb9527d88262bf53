package dev.holdfast.broker.dashboard.events;

import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.event.Event;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All events, newest first; any row opens to its JSON. */
public final class EventsPage {
    private final Search search;
    private final Titles titles;

    public EventsPage(Sources sources) {
        titles = new Titles(sources);
        search = new Search(sources.claims().tail());
    }

    public Sheet show(Visit visit) {
        Search.Criteria criteria = new Search.Criteria(
                visit.said("type").strip().replace(' ', '_'),
                visit.said("resource"),
                visit.said("actor"),
                visit.said("re"));
        Long before = number(visit.query("before"));
        Search.Found found = search.find(criteria, before == null ? Long.MAX_VALUE : before);
        Instant now = visit.now();
        List<String> types =
                found.looked().stream().map(Event::type).distinct().sorted().toList();
        EventsView view = new EventsView(
                criteria.type(),
                criteria.resource(),
                criteria.actor(),
                criteria.expression(),
                types,
                titles.added(found.events().stream()
                        .map(event -> Line.of(event, now))
                        .toList()),
                Histogram.of(criteria.any() ? found.looked() : found.events(), now),
                found.searched(),
                found.next() == null ? null : address(criteria, found.next()),
                !criteria.any(),
                before != null,
                found.problem());
        return Sheet.of("events", "Events", view);
    }

    private static @Nullable Long number(@Nullable String text) {
        try {
            return text == null ? null : Long.valueOf(text);
        } catch (NumberFormatException _) {
            return null;
        }
    }

    private static String address(Search.Criteria criteria, long before) {
        return "/events?type=" + Address.encoded(criteria.type()) + "&resource=" + Address.encoded(criteria.resource())
                + "&actor=" + Address.encoded(criteria.actor()) + "&re=" + Address.encoded(criteria.expression())
                + "&before=" + before;
    }
}
