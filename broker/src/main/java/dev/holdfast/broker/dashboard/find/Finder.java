package dev.holdfast.broker.dashboard.find;

import dev.holdfast.agent.Agent;
import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.broker.dashboard.part.ReviewTitle;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.broker.dashboard.tasks.StateBadge;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.review.queue.ReviewCatalogue;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Review;
import dev.holdfast.task.Task;
import dev.holdfast.work.Backlog;
import dev.holdfast.work.WorkItem;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds reviews, work items, tasks and agents by the beginning of their ids, which are indexed, and by words in their
 * titles, among the latest only: for older ones there are the lists with their filters.
 */
public record Finder(Sources sources) {
    private static final int MIN = 2;
    private static final int LONGEST = 100;
    private static final int MAX_OF_A_KIND = 5;
    private static final int REVIEWS_LOOKED_AT = 300;
    private static final int ITEMS_LOOKED_AT = 500;
    private static final int TASKS_LOOKED_AT = 200;
    private static final int AGENTS_LOOKED_AT = 500;

    /** {@code GET /ui/find?q=…} */
    public Sheet show(Visit visit) {
        String said = Objects.requireNonNullElse(visit.query("q"), "").strip();
        return Sheet.of("found", "", said.length() < MIN || said.length() > LONGEST ? List.of() : find(said));
    }

    private List<Found> find(String said) {
        String[] words = said.toLowerCase(Locale.ROOT).split("\\s+");
        return Stream.of(reviews(said, words), items(said, words), tasks(said, words), agents(words))
                .flatMap(found -> found.distinct().limit(MAX_OF_A_KIND))
                .toList();
    }

    private Stream<Found> reviews(String said, String[] words) {
        ReviewCatalogue catalogue = sources.reviews().catalogue();
        Stream<Review> named = beginning(Kind.REVIEW, said, catalogue::find);
        Stream<Review> latest =
                catalogue.feed(ReviewFilter.ALL, new Page.Request(REVIEWS_LOOKED_AT, null)).entries().stream()
                        .map(ReviewCatalogue.FeedEntry::review)
                        .filter(review -> has(words, review.intent(), review.project()));
        return Stream.concat(named, latest)
                .map(review -> new Found(
                        "reviews",
                        ReviewTitle.of(review),
                        State.of(review.status()).word() + (review.project() == null ? "" : " · " + review.project()),
                        Address.review(review.id())));
    }

    private Stream<Found> items(String said, String[] words) {
        Backlog backlog = sources.work().backlog();
        Stream<WorkItem> named = beginning(Kind.WORK, said, backlog::find);
        Stream<WorkItem> open = backlog.list(Backlog.ItemFilter.any(), true, ITEMS_LOOKED_AT, null).items().stream()
                .filter(item -> has(words, item.title(), item.id()));
        return Stream.concat(named, open)
                .map(item -> new Found("work", item.title(), item.id(), Address.work(item.id())));
    }

    private Stream<Found> tasks(String said, String[] words) {
        Stream<Task> named =
                beginning(Kind.STEP, said, step -> task(step.substring(0, Math.max(0, step.lastIndexOf('.')))));
        Stream<Task> latest = sources.tasks().list(null, null, Long.MAX_VALUE, TASKS_LOOKED_AT).stream()
                .filter(task -> has(words, task.name(), null));
        return Stream.concat(named, latest)
                .map(task -> new Found(
                        "tasks",
                        task.name(),
                        "task, " + StateBadge.of(task.state()).word(),
                        Address.task(task.id())));
    }

    private Optional<Task> task(String id) {
        try {
            return Optional.of(sources.tasks().get(id));
        } catch (RefusedException _) {
            return Optional.empty();
        }
    }

    private Stream<Found> agents(String[] words) {
        return sources.agents().list(false, "", AGENTS_LOOKED_AT).stream()
                .filter(agent -> has(words, agent.id(), agent.name()))
                .map(agent -> new Found("agents", agent.id(), place(agent), "/agents"));
    }

    private static String place(Agent agent) {
        return agent.project() == null ? "agent" : "agent · " + agent.project();
    }

    private <T> Stream<T> beginning(Kind kind, String id, Function<String, Optional<T>> found) {
        try {
            return sources.claims().beginning(new Resource(kind, id), MAX_OF_A_KIND).stream()
                    .flatMap(resource -> found.apply(resource.id()).stream());
        } catch (InvalidException _) {
            return Stream.empty();
        }
    }

    private static boolean has(String[] words, String text, @Nullable String more) {
        String all = (text + " " + Objects.requireNonNullElse(more, "")).toLowerCase(Locale.ROOT);
        return Stream.of(words).allMatch(all::contains);
    }
}
