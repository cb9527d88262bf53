package dev.holdfast.broker.dashboard.overview;

import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.broker.dashboard.part.ReviewTitle;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.broker.dashboard.tasks.StateBadge;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.task.Task;
import dev.holdfast.task.TaskState;
import dev.holdfast.work.Board;
import dev.holdfast.work.WorkItem;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** What was done last: reviews that were judged, items that were closed, tasks that ended. */
record LatestDone(Sources sources) {
    private static final int MAX = 8;
    private static final Duration RECENT = Duration.ofDays(1);

    private record Dated(Instant at, OverviewView.Done done) {}

    List<OverviewView.Done> done(Instant now) {
        return Stream.of(reviews(now), items(now), tasks(now))
                .flatMap(some -> some)
                .sorted(Comparator.comparing(Dated::at).reversed())
                .limit(MAX)
                .map(Dated::done)
                .toList();
    }

    private Stream<Dated> reviews(Instant now) {
        Page.Request some = new Page.Request(MAX, null);
        return Stream.of("approved", "changes_requested", "closed")
                .flatMap(status ->
                        sources.reviews().catalogue().feed(ReviewFilter.status(status), some).entries().stream())
                .map(entry -> entry.review())
                .map(review -> new Dated(review.updatedAt(), done(review, now)));
    }

    private OverviewView.Done done(Review review, Instant now) {
        String by = review.claimedBy() == null ? "" : " by " + review.claimedBy();
        String became = review.status() == ReviewStatus.CLOSED
                ? "approved" + by + ", then closed" + closer(review)
                : State.of(review.status()).word() + by;
        String where = review.project() == null ? "" : " in " + review.project();
        return new OverviewView.Done(
                review.id(),
                State.of(review.status()),
                ReviewTitle.of(review),
                Address.review(review.id()),
                "review " + ReviewTitle.shortId(review.id()) + where + ", " + became + ", round " + review.round(),
                new When(review.updatedAt(), now));
    }

    /** Closing is the last event of a review; it names who closed it only if they gave their name. */
    private String closer(Review review) {
        return sources.claims().tail().before(Long.MAX_VALUE, "review:" + review.id(), 1).stream()
                .filter(event -> event.type().equals("review_closed"))
                .map(event -> AuditEvent.of(event).by())
                .filter(name -> name != null && !name.equals("proposer"))
                .map(name -> " by " + name)
                .findFirst()
                .orElse("");
    }

    private Stream<Dated> items(Instant now) {
        return sources.work().board().lane(Board.Lane.CLOSED, RECENT, MAX).items().stream()
                .filter(item -> item.closedAt() != null)
                .map(item -> new Dated(Objects.requireNonNull(item.closedAt()), done(item, now)));
    }

    private static OverviewView.Done done(WorkItem item, Instant now) {
        String where = item.queue().isEmpty() ? "" : " in " + item.queue();
        String by = item.closedBy() == null ? "" : " by " + item.closedBy();
        String why = item.closeReason() == null || item.closeReason().isBlank() ? "" : ": " + item.closeReason();
        return new OverviewView.Done(
                item.resource().toString(),
                State.of(ReviewStatus.CLOSED),
                item.title(),
                Address.work(item.id()),
                "item " + item.id() + where + ", closed" + by + why,
                new When(Objects.requireNonNull(item.closedAt()), now));
    }

    private Stream<Dated> tasks(Instant now) {
        return Stream.of(TaskState.COMPLETE, TaskState.FAILED, TaskState.CANCELLED)
                .flatMap(state -> sources.tasks().list(state, null, Long.MAX_VALUE, MAX).stream())
                .filter(task -> task.finishedAt() != null)
                .map(task -> new Dated(Objects.requireNonNull(task.finishedAt()), done(task, now)));
    }

    private static OverviewView.Done done(Task task, Instant now) {
        StateBadge badge = StateBadge.of(task.state());
        return new OverviewView.Done(
                "task:" + task.id(),
                new State(badge.icon(), badge.look(), badge.word()),
                task.name(),
                Address.task(task.id()),
                "task " + ReviewTitle.shortId(task.id()) + ", " + badge.word() + ", "
                        + task.counters().succeeded() + " of " + task.counters().total() + " steps succeeded",
                new When(Objects.requireNonNull(task.finishedAt()), now));
    }
}
