package dev.holdfast.broker.dashboard.work;

import dev.holdfast.broker.dashboard.page.MissingException;
import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Kind;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventTail;
import dev.holdfast.work.Dependency;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkItems;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Why an item is not done, who has it, and what a person can do about it. */
public final class ItemPage {
    private static final int HISTORY = 50;

    private final Sources sources;
    private final WorkItems work;
    private final EventTail tail;

    public ItemPage(Sources sources) {
        this.sources = sources;
        work = sources.work();
        tail = sources.claims().tail();
    }

    public Sheet show(Visit visit) {
        String id = sources.whole(Kind.WORK, visit.path("id"));
        WorkItem item =
                work.backlog().find(id).orElseThrow(() -> new MissingException("There is no work item " + id + "."));
        Instant now = visit.now();
        List<String> before = item.dependencies().stream()
                .filter(dependency -> Dependency.orders(dependency.type()))
                .map(Dependency::dependsOn)
                .distinct()
                .toList();
        List<String> after = work.network().after(id);
        Set<String> named = new LinkedHashSet<>(before);
        named.addAll(after);
        Map<String, WorkItem> others = work.board().items(named);
        ItemView view = new ItemView(
                item,
                Card.of(item, others, now),
                cards(before, others, now),
                cards(after, others, now),
                EpicGraph.of(work, id, now),
                history(item, now));
        return Sheet.of("work-item", item.title(), view).below("Work", "/work").live("work:");
    }

    private static List<Card> cards(List<String> ids, Map<String, WorkItem> items, Instant now) {
        List<Card> cards = new ArrayList<>();
        for (String id : ids) {
            WorkItem item = items.get(id);
            if (item != null) {
                cards.add(Card.of(item, items, now));
            }
        }
        return cards;
    }

    private static ItemView.Happened happened(Event event, Instant now) {
        WorkEventText happening = WorkEventText.of(event);
        return new ItemView.Happened(
                new When(event.at(), now),
                event.actor() == null ? null : new Actor(event.actor()),
                icon(event.type()),
                look(event.type()),
                happening.did(),
                happening.say());
    }

    private static String icon(String type) {
        return switch (type) {
            case "created", "work_created" -> "plus";
            case "claimed", "taken_over" -> "s-claimed";
            case "released" -> "hand";
            case "failed" -> "s-failed";
            case "parked" -> "park";
            case "reclaimed" -> "retry";
            case "blocked" -> "lock";
            case "unblocked", "due" -> "s-ready";
            case "work_closed" -> "check";
            case "dependency_added", "dependency_removed" -> "link";
            default -> "events";
        };
    }

    private static String look(String type) {
        return switch (type) {
            case "claimed", "taken_over" -> "sea";
            case "failed" -> "port";
            case "parked" -> "brass";
            case "work_closed" -> "ok";
            default -> "";
        };
    }

    private List<ItemView.Happened> history(WorkItem item, Instant now) {
        return tail.before(Long.MAX_VALUE, item.resource().toString(), HISTORY).stream()
                .map(event -> happened(event, now))
                .toList();
    }
}
