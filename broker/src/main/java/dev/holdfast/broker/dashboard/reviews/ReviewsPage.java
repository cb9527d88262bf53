package dev.holdfast.broker.dashboard.reviews;

import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Kind;
import dev.holdfast.review.figures.Statistics;
import dev.holdfast.review.queue.ReviewCatalogue;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.record.Attention;
import dev.holdfast.review.record.Priority;
import dev.holdfast.review.record.Review;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What has waited longest, and whose turn is it? */
public record ReviewsPage(Sources sources) {
    private static final int AT_ONCE = 50;
    /** What the alert rules in deploy/ consider too long. */
    private static final Duration LATE = Duration.ofMinutes(30);

    private static final Map<String, String> WORDS = Map.of(
            "open", "Open",
            "pending", "Waiting for a reviewer",
            "claimed", "In review",
            "changes_requested", "Waiting for its proposer",
            "approved", "Approved",
            "closed", "Closed",
            "withdrawn", "Withdrawn",
            "all", "All",
            "waiting", "Waiting longest",
            "urgent", "Most urgent");

    public Sheet show(Visit visit) {
        Query query = Query.of(visit);
        dev.holdfast.review.record.Page<Review> page = list(query);
        Map<String, Claim> claims = sources.claims().held(Kind.REVIEW, null, null).stream()
                .collect(Collectors.toMap(claim -> claim.resource().id(), claim -> claim));
        List<ReviewsView.Line> lines = page.entries().stream()
                .map(review -> line(review, claims.get(review.id()), visit))
                .toList();
        List<ReviewsView.Chip> chips = chips(query);
        ReviewsView view = new ReviewsView(
                tabs(query),
                chips,
                query.text() == null ? "" : query.text(),
                kept(query),
                Query.ORDERS.stream()
                        .map(order -> new ReviewsView.Tab(
                                order.equals("newest") ? "Newest change" : WORDS.getOrDefault(order, order),
                                query.by(order).path(),
                                order.equals(query.order()),
                                ""))
                        .toList(),
                lines,
                query.cursor() == null ? null : query.from(null).path(),
                page.next() == null ? null : query.from(page.next()).path(),
                lines.isEmpty() && !chips.isEmpty() ? chips.getLast() : null,
                fields(lines),
                query.narrows());
        return Sheet.of("reviews", "Reviews", view).live("review:");
    }

    private dev.holdfast.review.record.Page<Review> list(Query query) {
        ReviewFilter filter = filter(query);
        dev.holdfast.review.record.Page.Request asked =
                new dev.holdfast.review.record.Page.Request(AT_ONCE, query.cursor());
        ReviewCatalogue catalogue = sources.reviews().catalogue();
        boolean ended = !List.of("open", "pending", "claimed", "changes_requested", "approved")
                .contains(query.view());
        return switch (query.order()) {
            case "urgent" -> catalogue.list(filter, asked);
            case "newest" -> newest(filter, asked);
            default -> ended ? newest(filter, asked) : catalogue.longestWaiting(filter, asked);
        };
    }

    private dev.holdfast.review.record.Page<Review> newest(
            ReviewFilter filter, dev.holdfast.review.record.Page.Request asked) {
        dev.holdfast.review.record.Page<ReviewCatalogue.FeedEntry> feed =
                sources.reviews().catalogue().feed(filter, asked);
        return new dev.holdfast.review.record.Page<>(
                feed.entries().stream().map(ReviewCatalogue.FeedEntry::review).toList(), feed.next());
    }

    static ReviewFilter filter(Query query) {
        return new ReviewFilter(
                query.view().equals("all") ? null : query.view(),
                query.category(),
                query.projects(),
                query.priority(),
                query.agent(),
                query.text());
    }

    private static ReviewsView.Line line(Review review, @Nullable Claim claim, Visit visit) {
        Attention attention = review.attention();
        String who = claim != null ? claim.holder() : attention.who();
        When since = new When(attention.since(), visit.now());
        boolean waits = attention.turn() != Attention.Turn.NOBODY;
        return new ReviewsView.Line(
                review,
                State.of(review.status()),
                new Actor(
                        review.proposer() == null || review.proposer().agent() == null
                                ? review.agentType()
                                : review.proposer().agent()),
                !waits || who == null ? null : new Actor(who),
                claim == null ? null : Lease.of(claim, visit.now()),
                since,
                waits && Duration.between(attention.since(), visit.now()).compareTo(LATE) > 0,
                Priority.named(review.priority()).rank());
    }

    /** The counts exist already if the list is not filtered, or only by one project; otherwise there are none. */
    private List<ReviewsView.Tab> tabs(Query query) {
        boolean counted = !query.narrows()
                || (query.projects().size() == 1
                        && !query.withoutProject(query.projects().iterator().next())
                                .narrows());
        Map<String, Long> byStatus = counted
                ? sources.reviews()
                        .statistics()
                        .of(
                                query.projects().isEmpty()
                                        ? null
                                        : query.projects().iterator().next())
                        .byStatus()
                : Map.of();
        List<ReviewsView.Tab> tabs = new ArrayList<>();
        for (String view : Query.VIEWS) {
            tabs.add(new ReviewsView.Tab(
                    WORDS.getOrDefault(view, view),
                    query.in(view).path(),
                    view.equals(query.view()),
                    counted ? String.format("%,d", count(view, byStatus)) : ""));
        }
        return tabs;
    }

    private static long count(String view, Map<String, Long> byStatus) {
        return switch (view) {
            case "all" -> byStatus.values().stream().mapToLong(Long::longValue).sum();
            case "open" ->
                byStatus.entrySet().stream()
                        .filter(entry -> !List.of("closed", "withdrawn").contains(entry.getKey()))
                        .mapToLong(Map.Entry::getValue)
                        .sum();
            case "claimed" -> byStatus.getOrDefault("claimed", 0L) + byStatus.getOrDefault("in_review", 0L);
            default -> byStatus.getOrDefault(view, 0L);
        };
    }

    private static List<ReviewsView.Chip> chips(Query query) {
        List<ReviewsView.Chip> chips = new ArrayList<>();
        query.projects()
                .forEach(project -> chips.add(new ReviewsView.Chip(
                        "project", project, query.withoutProject(project).path())));
        if (query.category() != null) {
            chips.add(new ReviewsView.Chip(
                    "category", query.category(), query.withoutCategory().path()));
        }
        if (query.priority() != null) {
            chips.add(new ReviewsView.Chip(
                    "priority", query.priority(), query.withoutPriority().path()));
        }
        if (query.agent() != null) {
            chips.add(new ReviewsView.Chip(
                    "agent", query.agent(), query.withoutAgent().path()));
        }
        if (query.text() != null) {
            chips.add(new ReviewsView.Chip(
                    "text", query.text(), query.withoutText().path()));
        }
        return chips;
    }

    private static List<ReviewsView.Kept> kept(Query query) {
        List<ReviewsView.Kept> kept = new ArrayList<>();
        kept.add(new ReviewsView.Kept("view", query.view()));
        kept.add(new ReviewsView.Kept("order", query.order()));
        query.projects().forEach(project -> kept.add(new ReviewsView.Kept("project", project)));
        if (query.category() != null) {
            kept.add(new ReviewsView.Kept("category", query.category()));
        }
        if (query.priority() != null) {
            kept.add(new ReviewsView.Kept("priority", query.priority()));
        }
        if (query.agent() != null) {
            kept.add(new ReviewsView.Kept("agent", query.agent()));
        }
        return kept;
    }

    /** What the search field completes to, with counts where they exist; agents only from this page. */
    private List<ReviewsView.Known> fields(List<ReviewsView.Line> lines) {
        Statistics statistics = sources.reviews().statistics();
        List<ReviewsView.Known> known = new ArrayList<>();
        statistics
                .projects()
                .forEach((project, number) ->
                        known.add(new ReviewsView.Known("project:" + project, String.format("%,d", number))));
        statistics
                .of(null)
                .byCategory()
                .forEach((category, number) ->
                        known.add(new ReviewsView.Known("category:" + category, String.format("%,d", number))));
        for (Priority priority : Priority.values()) {
            known.add(new ReviewsView.Known("priority:" + priority, ""));
        }
        Set<String> agents = new TreeSet<>();
        for (ReviewsView.Line line : lines) {
            agents.add(line.proposer().name());
            Actor turn = line.turn();
            if (turn != null) {
                agents.add(turn.name());
            }
        }
        agents.removeIf(name -> name.indexOf(' ') >= 0); // a search is split at spaces
        agents.forEach(name -> known.add(new ReviewsView.Known("agent:" + name, "")));
        return known;
    }
}
