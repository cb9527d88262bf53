package dev.holdfast.broker.dashboard.work;

import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Filter;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.repository.Repositories;
import dev.holdfast.repository.RepositoryKey;
import dev.holdfast.work.Backlog;
import dev.holdfast.work.Board;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkItems;
import dev.holdfast.work.WorkStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The critical path first; then the items, by status, by holder, or as a list. */
public final class WorkPage {
    private static final Duration DAY = Duration.ofDays(1);
    private static final int SHOWN = 12;
    private static final int HELD = 1_000;
    private static final int PAGE = 50;
    private static final int EPICS = 30;

    private static final int REPOSITORIES = 100;

    private final WorkItems work;
    private final Repositories repositories;

    public WorkPage(Sources sources) {
        work = sources.work();
        repositories = new Repositories(sources.store());
    }

    public Sheet show(Visit visit) {
        String view = Objects.requireNonNullElse(visit.query("view"), "status");
        String how = Set.of("holder", "list").contains(view) ? view : "status";
        Instant now = visit.now();
        Board.LaneItems ready = lane(Board.Lane.READY, SHOWN);
        Board.LaneItems held = lane(Board.Lane.HELD, how.equals("holder") ? HELD : SHOWN);
        Board.LaneItems unheld = lane(Board.Lane.UNHELD, SHOWN);
        Board.LaneItems blocked = lane(Board.Lane.BLOCKED, SHOWN);
        Board.LaneItems deferred = lane(Board.Lane.DEFERRED, SHOWN);
        Board.LaneItems closed = lane(Board.Lane.CLOSED, SHOWN);
        List<Board.Epic> epics = work.board().epics(EPICS);
        WorkView.Filters filters = new WorkView.Filters(
                visit.said("status"),
                visit.said("queue"),
                visit.said("holder"),
                visit.said("parent"),
                visit.said("label"));
        Backlog.Page list = how.equals("list") ? list(filters, visit) : new Backlog.Page(List.of(), null);
        List<WorkView.Lane> lanes = switch (how) {
            case "holder" -> byHolder(unheld, held.items(), now);
            case "list" -> List.of();
            default ->
                List.of(
                        lane("open", "Ready", "s-ready", "dim", ready, now, oldest(ready, now)),
                        lane("in_progress", "In progress", "s-claimed", "sea", both(unheld, held), now, ""),
                        lane(
                                "blocked",
                                deferred.total() > 0 ? "Blocked or deferred" : "Blocked",
                                "s-blocked",
                                "brass",
                                both(blocked, deferred),
                                now,
                                ""),
                        lane("closed", "Closed in the last day", "s-closed", "ok", closed, now, ""));
        };
        boolean empty =
                ready.total() + held.total() + unheld.total() + blocked.total() + deferred.total() + closed.total() == 0
                        && work.backlog()
                                .list(Backlog.ItemFilter.any(), 1, null)
                                .items()
                                .isEmpty();
        WorkView shown = new WorkView(
                how,
                lead(ready, held, unheld, blocked, deferred, closed),
                empty,
                epics,
                graph(visit, epics, blocked, now),
                lanes,
                cards(list.items(), now),
                list.next(),
                filters,
                queues(filters.queue()));
        return Sheet.of("work", "Work", shown).live("work:");
    }

    /**
     * The queues that a new item can go into, the likeliest first: the one the page is filtered by, those used last,
     * those of the latest repositories.
     */
    private List<String> queues(String filtered) {
        Set<String> queues = new LinkedHashSet<>();
        if (!filtered.isEmpty()) {
            queues.add(RepositoryKey.ofQueue(filtered));
        }
        queues.addAll(work.board().queues());
        queues.addAll(repositories.latest(REPOSITORIES));
        return List.copyOf(queues);
    }

    private Board.LaneItems lane(Board.Lane lane, int max) {
        return work.board().lane(lane, DAY, max);
    }

    private static Board.LaneItems both(Board.LaneItems first, Board.LaneItems then) {
        List<WorkItem> all = new ArrayList<>(first.items());
        all.addAll(then.items());
        return new Board.LaneItems(all.subList(0, Math.min(SHOWN, all.size())), first.total() + then.total());
    }

    private @Nullable EpicGraph graph(Visit visit, List<Board.Epic> epics, Board.LaneItems blocked, Instant now) {
        String asked = visit.query("epic");
        if (asked != null) {
            return EpicGraph.of(work, asked, now);
        }
        for (Board.Epic epic : epics.subList(0, Math.min(3, epics.size()))) {
            EpicGraph graph = EpicGraph.of(work, epic.id(), now);
            if (graph != null) {
                return graph;
            }
        }
        return blocked.items().stream()
                .filter(item -> !item.blockedBy().isEmpty())
                .map(item -> EpicGraph.of(work, item.id(), now))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static String lead(
            Board.LaneItems ready,
            Board.LaneItems held,
            Board.LaneItems unheld,
            Board.LaneItems blocked,
            Board.LaneItems deferred,
            Board.LaneItems closed) {
        long parked = blocked.items().stream().filter(Card::parked).count();
        return String.format("%,d ready, %,d in progress, ", ready.total(), held.total())
                + (unheld.total() > 0 ? String.format("%,d started but held by nobody, ", unheld.total()) : "")
                + String.format("%,d blocked", blocked.total())
                + (parked > 0 ? " (" + parked + " parked)" : "")
                + (deferred.total() > 0 ? String.format(", %,d deferred", deferred.total()) : "")
                + String.format(". %,d closed in the last day.", closed.total());
    }

    private static String oldest(Board.LaneItems ready, Instant now) {
        return ready.items().stream()
                .map(WorkItem::createdAt)
                .min(Instant::compareTo)
                .map(at -> "oldest " + When.in(Duration.between(at, now)))
                .orElse("");
    }

    private WorkView.Lane lane(
            String key, String title, String icon, String look, Board.LaneItems standing, Instant now, String hint) {
        return new WorkView.Lane(key, title, icon, look, standing.total(), hint, cards(standing.items(), now));
    }

    /** The holder with the least time left on a lease comes first. */
    private List<WorkView.Lane> byHolder(Board.LaneItems unheld, List<WorkItem> held, Instant now) {
        Map<String, List<WorkItem>> byHolder = new LinkedHashMap<>();
        for (WorkItem item : held) {
            if (item.claim() != null) {
                byHolder.computeIfAbsent(item.claim().holder(), _ -> new ArrayList<>())
                        .add(item);
            }
        }
        List<WorkView.Lane> lanes = new ArrayList<>();
        if (unheld.total() > 0) {
            lanes.add(lane("unheld", "Nobody", "agents", "brass", unheld, now, ""));
        }
        byHolder.forEach((holder, items) -> lanes.add(
                new WorkView.Lane("@" + holder, holder, "agents", "sea", items.size(), "", cards(items, now))));
        return lanes;
    }

    private List<Card> cards(List<WorkItem> items, Instant now) {
        Set<String> waitedFor = new LinkedHashSet<>();
        items.forEach(item -> {
            if (item.blockedBy().size() == 1) {
                waitedFor.addAll(item.blockedBy());
            }
        });
        Map<String, WorkItem> others = work.board().items(waitedFor);
        return items.stream().map(item -> Card.of(item, others, now)).toList();
    }

    private Backlog.Page list(WorkView.Filters filters, Visit visit) {
        try {
            Filter marks =
                    new Filter(orNull(filters.queue()), filters.label().isEmpty() ? Set.of() : Set.of(filters.label()));
            Backlog.ItemFilter wanted = new Backlog.ItemFilter(
                    WorkStatus.of(filters.status()).orElse(null),
                    marks,
                    orNull(filters.holder()),
                    null,
                    orNull(filters.parent()));
            return work.backlog().list(wanted, filters.status().isEmpty(), PAGE, visit.query("after"));
        } catch (InvalidException _) {
            return new Backlog.Page(List.of(), null); // somebody has changed the address by hand
        }
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
