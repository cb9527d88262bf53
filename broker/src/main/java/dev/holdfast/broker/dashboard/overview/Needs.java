package dev.holdfast.broker.dashboard.overview;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.RelatedAgents;
import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.dashboard.page.Held;
import dev.holdfast.broker.dashboard.page.QuietHolders;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.broker.dashboard.part.ReviewTitle;
import dev.holdfast.broker.dashboard.part.TakeBack;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.broker.dashboard.work.Card;
import dev.holdfast.broker.pool.ReviewerPool;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Filter;
import dev.holdfast.claim.Kind;
import dev.holdfast.review.approval.ModelMaker;
import dev.holdfast.review.pool.PoolSituation;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Proposer;
import dev.holdfast.review.record.Review;
import dev.holdfast.task.Finalizer;
import dev.holdfast.task.Task;
import dev.holdfast.task.TaskState;
import dev.holdfast.work.Backlog;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What needs a person: reviews that are theirs or have waited too long, reviewers in trouble, holders gone quiet, work
 * that is parked, or was started and is held by nobody, failed tasks, tasks that nobody finishes, and tasks whose
 * follow-up was given up.
 */
public record Needs(Sources sources) {
    private static final Duration LATE = Duration.ofMinutes(30);
    private static final Duration LATE_TO_END = Duration.ofMinutes(5);
    private static final Duration RECENT = Duration.ofDays(1);
    private static final int MAX_OF_A_SORT = 5;
    private static final int RECENT_TASKS = 50;
    private static final int WAITING = 50;
    private static final int HOLDERS = 20;

    /**
     * @param look its colour: sea, port, or empty for brass
     * @param deed the text of the link to it
     * @param act what can be done about it at once, without opening it; visitors who may not do that get the link
     */
    public record Need(
            String icon,
            String look,
            String title,
            String path,
            String says,
            When since,
            String deed,
            String first,
            Act act) {
        Need(String icon, String look, String title, String path, String says, When since, String deed, String first) {
            this(icon, look, title, path, says, since, deed, first, Act.NONE);
        }
    }

    /**
     * @param verb what does it; empty: there is nothing to do but look
     * @param of the id of what it acts on, or the values that fill the dialog that asks first
     */
    public record Act(String verb, String of, String says) {
        static final Act NONE = new Act("", "", "");
    }

    /** @param person empty: the visitor has given no name */
    public List<Need> of(String person, Instant now) {
        List<Need> needs = new ArrayList<>();
        mine(person, now, needs);
        failed(now, needs);
        withoutFollowUp(now, needs);
        unfinished(now, needs);
        reviewers(now, needs);
        quiet(now, needs);
        parked(now, needs);
        unheld(now, needs);
        late(now, needs);
        return needs;
    }

    private void mine(String person, Instant now, List<Need> needs) {
        if (person.isEmpty()) {
            return;
        }
        for (Claim claim : sources.claims().held(Kind.REVIEW, person, null)) {
            sources.reviews()
                    .catalogue()
                    .find(claim.resource().id())
                    .ifPresent(review -> needs.add(new Need(
                            "reviews",
                            "sea",
                            ReviewTitle.of(review),
                            Address.review(review.id()),
                            "Round " + review.round() + inProject(review) + " is yours."
                                    + (review.blockingFindings() == 0
                                            ? " No finding blocks it"
                                            : review.blockingFindings() == 1
                                                    ? " 1 finding blocks it"
                                                    : " " + review.blockingFindings() + " findings block it"),
                            new When(review.attention().since(), now),
                            "Review",
                            "pri")));
        }
    }

    private void failed(Instant now, List<Need> needs) {
        for (Task task : sources.tasks().list(TaskState.FAILED, null, Long.MAX_VALUE, MAX_OF_A_SORT)) {
            Instant ended = task.finishedAt() == null ? task.createdAt() : task.finishedAt();
            if (Duration.between(ended, now).compareTo(RECENT) < 0) {
                needs.add(new Need(
                        "s-failed",
                        "port",
                        task.name() + " failed",
                        Address.task(task.id()),
                        whyFailed(task),
                        new When(ended, now),
                        "Look",
                        ""));
            }
        }
    }

    private String whyFailed(Task task) {
        return sources.tasks().explain(task.id()).stream()
                .filter(sentence -> sentence.startsWith("Step "))
                .findFirst()
                .orElse("A step failed on its last attempt");
    }

    /** Tasks that have ended, but whose follow-up did not happen. */
    private void withoutFollowUp(Instant now, List<Need> needs) {
        List<Task> recent = Stream.of(TaskState.COMPLETE, TaskState.FAILED)
                .flatMap(state -> sources.tasks().list(state, null, Long.MAX_VALUE, RECENT_TASKS).stream())
                .filter(task -> task.finishedAt() != null
                        && Duration.between(task.finishedAt(), now).compareTo(RECENT) < 0)
                .toList();
        Map<String, String> givenUp =
                sources.tasks().outbox().givenUp(recent.stream().map(Task::id).toList());
        recent.stream()
                .filter(task -> givenUp.containsKey(task.id()))
                .limit(MAX_OF_A_SORT)
                .forEach(task -> needs.add(new Need(
                        "ext",
                        "port",
                        task.name() + ": the follow-up was given up",
                        Address.task(task.id()),
                        (task.state() == TaskState.COMPLETE ? "The task is complete." : "The task failed.")
                                + " Last error: " + givenUp.get(task.id()),
                        new When(Objects.requireNonNull(task.finishedAt()), now),
                        "Look",
                        "",
                        new Act("retry_task", task.id(), "Retry"))));
    }

    /** Tasks whose steps are all done, but which nobody finishes. */
    private void unfinished(Instant now, List<Need> needs) {
        sources.tasks().due(Finalizer.EXTERNAL, MAX_OF_A_SORT).stream()
                .map(sources.tasks()::get)
                .filter(task -> task.dueSince() != null
                        && Duration.between(task.dueSince(), now).compareTo(LATE_TO_END) > 0)
                .forEach(task -> needs.add(new Need(
                        "flag",
                        "",
                        task.name() + " has nobody to finish it",
                        Address.task(task.id()),
                        "Its steps are done. A processor must end it with claim_finalization, then finish_task",
                        new When(Objects.requireNonNull(task.dueSince()), now),
                        "Look",
                        "")));
    }

    /** Reviewers that end without a review, or no reviewer that can start while reviews wait. */
    private void reviewers(Instant now, List<Need> needs) {
        ReviewerPool pool = sources.pool();
        if (pool == null) {
            return;
        }
        ReviewerPool.Status status = pool.status();
        PoolSituation situation = status.situation();
        int crashes = situation.crashes().inARow();
        boolean waiting = situation.pending().stream().anyMatch(one -> one.count() > 0);
        boolean none = pool.list().stream().noneMatch(one -> one.ended() == null);
        if (crashes > 0 || (status.heldBack() != null && waiting && none)) {
            needs.add(new Need(
                    "pool",
                    "port",
                    crashes > 0
                            ? (crashes == 1 ? "A reviewer" : crashes + " reviewers in a row")
                                    + " ended without a review"
                            : "No reviewer can start",
                    "/pool",
                    status.heldBack() == null ? "Their logs say why" : "Held back: " + status.heldBack(),
                    new When(Objects.requireNonNullElse(situation.crashes().last(), now), now),
                    "See logs",
                    ""));
        }
    }

    private void unheld(Instant now, List<Need> needs) {
        sources.work()
                .backlog()
                .unheld(null, MAX_OF_A_SORT)
                .forEach(item -> needs.add(new Need(
                        "work",
                        "",
                        item.title(),
                        Address.work(item.id()),
                        item.id() + " was started, but nobody holds it",
                        new When(item.updatedAt(), now),
                        "Look",
                        "")));
    }

    private void quiet(Instant now, List<Need> needs) {
        Map<String, List<Claim>> held = sources.claims().held(null, null, null).stream()
                .filter(claim -> claim.resource().kind() != Kind.BROKER)
                .collect(Collectors.groupingBy(Claim::holder, LinkedHashMap::new, Collectors.toList()));
        Map<String, List<Claim>> quiet = new LinkedHashMap<>();
        held.forEach((holder, claims) -> {
            if (quiet.size() <= MAX_OF_A_SORT
                    && !QuietHolders.of(claims, null, now).isEmpty()) {
                Agent session = sources.agents().find(holder).orElse(null);
                List<Claim> silent = QuietHolders.of(claims, session, now);
                if (!silent.isEmpty()) {
                    quiet.put(holder, silent);
                }
            }
        });
        if (quiet.isEmpty()) {
            return;
        }
        Held things = new Held(sources);
        quiet.entrySet().stream().limit(MAX_OF_A_SORT).forEach(one -> {
            List<Claim> claims = one.getValue();
            Claim first = claims.stream()
                    .min(Comparator.comparing((Claim claim) -> claim.resource().kind() == Kind.RESERVATION)
                            .thenComparing(Claim::expiresAt))
                    .orElseThrow();
            needs.add(new Need(
                    "stuck",
                    "",
                    new Actor(one.getKey()).shown() + " has gone quiet",
                    Held.path(first),
                    "Holds " + things.named(first) + (claims.size() == 1 ? "" : " and " + (claims.size() - 1) + " more")
                            + "; freed automatically in " + When.in(Duration.between(now, first.expiresAt())),
                    new When(first.renewedAt(), now),
                    "Look",
                    "",
                    new Act(
                            "take_back",
                            TakeBack.fill(first.resource().toString(), first.holder(), first.generation()),
                            "Release…")));
        });
        if (quiet.size() > MAX_OF_A_SORT) {
            needs.add(new Need(
                    "stuck",
                    "",
                    "More agents have gone quiet",
                    "/agents",
                    "All of them are listed with what they hold",
                    new When(now, now),
                    "List",
                    ""));
        }
    }

    private void parked(Instant now, List<Need> needs) {
        Backlog.ItemFilter blocked = new Backlog.ItemFilter(WorkStatus.BLOCKED, Filter.ANY, null, null, null);
        sources.work().backlog().list(blocked, 100, null).items().stream()
                .filter(item -> item.parked() || item.blockedReason() != null)
                .limit(MAX_OF_A_SORT)
                .forEach(item -> needs.add(parked(item, now)));
    }

    private static Need parked(WorkItem item, Instant now) {
        return new Need(
                "park",
                "",
                item.title() + (Card.parked(item) ? " is parked" : " is blocked"),
                Address.work(item.id()),
                item.id()
                        + (item.parked() ? " failed " + item.attempts() + " times. " : ": ")
                        + (item.blockedReason() == null ? "" : item.blockedReason()),
                new When(item.updatedAt(), now),
                "Look",
                "",
                new Act("update_work", item.id(), Card.parked(item) ? "Unpark" : "Reopen"));
    }

    /** Reviews that have waited too long, and at once those that no program comes for. */
    private void late(Instant now, List<Need> needs) {
        List<Review> pending = sources.reviews()
                .catalogue()
                .longestWaiting(ReviewFilter.status("pending"), new Page.Request(WAITING, null))
                .entries();
        if (pending.isEmpty()) {
            return;
        }
        boolean agents = isAnAgentReviewing();
        List<Review> waiting = pending.stream()
                .filter(review -> !whyForPeople(review, agents).isEmpty()
                        || Duration.between(review.attention().since(), now).compareTo(LATE) > 0)
                .toList();
        waiting.stream()
                .limit(MAX_OF_A_SORT)
                .forEach(review -> needs.add(new Need(
                        "clock",
                        "",
                        ReviewTitle.of(review),
                        Address.review(review.id()),
                        whyForPeople(review, agents).isEmpty()
                                ? "Waiting for a reviewer" + inProject(review) + "; nobody has claimed it"
                                : "Waiting for a person" + inProject(review) + ": " + whyForPeople(review, agents),
                        new When(review.attention().since(), now),
                        "Review",
                        "")));
        if (waiting.size() > MAX_OF_A_SORT) {
            needs.add(new Need(
                    "clock",
                    "",
                    "More reviews are waiting",
                    "/reviews?status=pending",
                    "These are the ones that have waited longest",
                    new When(waiting.getLast().attention().since(), now),
                    "List",
                    ""));
        }
    }

    /** Why only people will review it; empty: a program may. */
    private String whyForPeople(Review review, boolean agents) {
        if (agents) {
            return "";
        }
        PoolConfig pool = sources.config().pool();
        if (sources.pool() == null || pool == null) {
            return "the broker runs no reviewers, and no agent is reviewing";
        }
        String engine = pool.engine().name();
        Proposer proposer = review.proposer();
        Optional<String> make =
                ModelMaker.of(proposer == null ? null : proposer.engine()).or(() -> ModelMaker.of(review.agentType()));
        return sources.config().reviews().reviewers().otherMake()
                        && ModelMaker.of(engine).equals(make)
                ? "its proposer is a " + engine + ", and so are the pool’s reviewers"
                : "";
    }

    private boolean isAnAgentReviewing() {
        return sources.claims().held(Kind.REVIEW, null, null).stream()
                .map(Claim::holder)
                .distinct()
                .limit(HOLDERS)
                .anyMatch(holder -> sources.agents()
                        .find(holder)
                        .filter(agent -> !RelatedAgents.isPerson(agent.kind()))
                        .isPresent());
    }

    private static String inProject(Review review) {
        return review.project() == null ? "" : " in " + review.project();
    }
}
