package dev.holdfast.broker.dashboard.find;

import dev.holdfast.agent.Agent;
import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.pool.ReviewerPool;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Resource;
import dev.holdfast.event.Event;
import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.queue.ReviewCatalogue;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Priority;
import dev.holdfast.review.record.Review;
import dev.holdfast.work.Backlog;
import dev.holdfast.work.Board;
import dev.holdfast.work.WorkItem;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What a filter's field can be completed to: from everything that the broker knows, not just what the page shows. Ids
 * are found by their index; values without an index, only among the latest of their kind.
 */
public record Completions(Sources sources) {
    private static final int MAX = 20;
    private static final int LONGEST = 100;
    /**
     * Agents are sorted by id, perhaps by a database's linguistic collation; either way, ids with the same beginning
     * are close together.
     */
    private static final int AGENTS_LOOKED_AT = 200;

    private static final int REVIEWS_LOOKED_AT = 300;
    private static final int ITEMS_LOOKED_AT = 500;
    private static final int EVENTS_LOOKED_AT = 5_000;
    private static final int EPICS_LOOKED_AT = 200;

    /** {@code GET /ui/known?of=agent&begins=cla} */
    public Sheet show(Visit visit) {
        String begins = visit.said("begins");
        List<String> found = begins.length() > LONGEST
                ? List.of()
                : known(visit.said("of"), begins)
                        .filter(one -> one.toLowerCase(Locale.ROOT).startsWith(begins.toLowerCase(Locale.ROOT)))
                        .distinct()
                        .sorted()
                        .limit(MAX)
                        .toList();
        return Sheet.of("known", "", found);
    }

    private Stream<String> known(String field, String begins) {
        return switch (field) {
            case "agent" -> agents(begins);
            case "project" -> sources.reviews().statistics().projects().keySet().stream();
            case "category" -> sources.reviews().statistics().of(null).byCategory().keySet().stream();
            case "priority" -> Stream.of(Priority.values()).map(Priority::toString);
            case "queue" -> items().map(WorkItem::queue).filter(queue -> !queue.isEmpty());
            case "label" -> items().flatMap(item -> item.labels().stream());
            case "parent" ->
                Stream.concat(
                        sources.work().board().epics(EPICS_LOOKED_AT).stream().map(Board.Epic::id),
                        beginning(new Resource(Kind.WORK, begins)).map(Resource::id));
            case "type" ->
                sources.claims().tail().before(Long.MAX_VALUE, null, EVENTS_LOOKED_AT).stream()
                        .map(Event::type);
            case "resource" -> resources(begins);
            default -> Stream.empty();
        };
    }

    /**
     * Agents with a session, now or before; the broker's own reviewers; holders of claims; and agents named in the
     * latest reviews.
     */
    private Stream<String> agents(String begins) {
        ReviewerPool pool = sources.pool();
        return Stream.of(
                        sources.agents().find(begins).stream().map(Agent::id),
                        sources.agents().list(true, begins, AGENTS_LOOKED_AT).stream()
                                .map(Agent::id),
                        pool == null
                                ? Stream.<String>empty()
                                : pool.list().stream().map(PoolReviewer::id),
                        sources.claims().held(null, null, null).stream()
                                .filter(claim -> claim.resource().kind() != Kind.BROKER)
                                .map(Claim::holder),
                        reviews().flatMap(Completions::named))
                .flatMap(names -> names);
    }

    private static Stream<String> named(Review review) {
        return Stream.of(
                        review.agentType(),
                        review.proposer() == null ? null : review.proposer().agent(),
                        review.claimedBy())
                .filter(Objects::nonNull);
    }

    private Stream<Review> reviews() {
        return sources
                .reviews()
                .catalogue()
                .feed(ReviewFilter.ALL, new Page.Request(REVIEWS_LOOKED_AT, null))
                .entries()
                .stream()
                .map(ReviewCatalogue.FeedEntry::review);
    }

    private Stream<WorkItem> items() {
        return sources.work().backlog().list(Backlog.ItemFilter.any(), true, ITEMS_LOOKED_AT, null).items().stream();
    }

    /** Completes the kind first, then the ids of that kind. */
    private Stream<String> resources(String begins) {
        try {
            return begins.indexOf(':') < 0
                    ? Stream.of(Kind.values()).map(kind -> kind + ":")
                    : beginning(Resource.parse(begins)).map(Resource::toString);
        } catch (InvalidException _) {
            return Stream.empty();
        }
    }

    private Stream<Resource> beginning(Resource with) {
        try {
            return sources.claims().beginning(with, MAX).stream();
        } catch (InvalidException _) {
            return Stream.empty();
        }
    }
}
