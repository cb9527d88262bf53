package dev.holdfast.broker.dashboard.tasks;

import dev.holdfast.broker.dashboard.graph.Drawing;
import dev.holdfast.broker.dashboard.graph.Link;
import dev.holdfast.broker.dashboard.graph.Node;
import dev.holdfast.broker.dashboard.page.MissingException;
import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.event.EventTail;
import dev.holdfast.task.Outbox;
import dev.holdfast.task.Step;
import dev.holdfast.task.StepState;
import dev.holdfast.task.Task;
import dev.holdfast.task.Tasks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Why a task is no further along, its steps, and what a person can do about them. */
public final class TaskPage {
    private static final int DRAWN = 500;
    private static final int LISTED = 100;
    private static final int EVENTS = 2_000;
    private static final int ATTEMPTS = 50;

    private final Sources sources;
    private final Tasks tasks;
    private final Claims claims;
    private final EventTail tail;
    private final ChosenStep chosen;

    public TaskPage(Sources sources) {
        this.sources = sources;
        tasks = sources.tasks();
        claims = sources.claims();
        tail = sources.claims().tail();
        chosen = new ChosenStep(sources);
    }

    public Sheet show(Visit visit) {
        String id = sources.whole(Kind.FINALIZATION, visit.path("id"));
        Task task = find(id);
        Instant now = visit.now();
        boolean list = Objects.requireNonNullElse(visit.query("view"), "").equals("list");
        long after = list ? number(visit.query("after")) : 0;
        int max = list ? LISTED : DRAWN;
        List<Step> found = tasks.outline(id, after, max + 1);
        List<Step> steps = found.subList(0, Math.min(max, found.size()));
        Map<String, List<String>> needs = steps.isEmpty()
                ? Map.of()
                : tasks.dependencies(
                        id, steps.getFirst().position(), steps.getLast().position());
        List<Timeline.Attempt> attempts =
                Timeline.attempts(tail.between("step:" + id + ".", "step:" + id + "/", EVENTS));
        List<String> order = attempts.stream()
                .sorted(Comparator.comparing(Timeline.Attempt::from))
                .map(Timeline.Attempt::key)
                .distinct()
                .toList();
        Optional<Outbox.Delivery> delivery = tasks.delivery(id);
        List<String> why =
                tasks.explain(id).stream().map(one -> When.inWords(one, now)).toList();
        TaskView view = new TaskView(
                task,
                TaskRow.of(task, 0, why, now),
                list ? "list" : "graph",
                why,
                list ? null : drawing(id, steps, needs, attempts, now),
                list ? rows(id, steps, needs) : List.of(),
                list && found.size() > max ? String.valueOf(steps.getLast().position()) : null,
                list ? 0 : Math.max(0, task.counters().total() - steps.size()),
                Timeline.of(attempts, order, now),
                chosen.of(id, visit.query("step"), steps, needs, attempts, now),
                delivery.orElse(null),
                tasks.attempts(id, 0, ATTEMPTS),
                steps.stream().anyMatch(step -> step.state() == StepState.RETRY_WAIT)
                        || delivery.filter(one -> one.deliveredAt() == null && one.lastError() != null)
                                .isPresent());
        return Sheet.of("task", task.name(), view)
                .below("Tasks", "/tasks")
                .live("step:" + id, "finalization:" + id, "task:" + id);
    }

    private Task find(String id) {
        try {
            return tasks.get(id);
        } catch (RefusedException _) {
            throw new MissingException("There is no task " + id + ".");
        }
    }

    private static long number(@Nullable String text) {
        try {
            return text == null ? 0 : Long.parseLong(text);
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    private Drawing drawing(
            String id,
            List<Step> steps,
            Map<String, List<String>> needs,
            List<Timeline.Attempt> attempts,
            Instant now) {
        Map<String, Timeline.Attempt> last = attempts.stream()
                .collect(Collectors.toMap(
                        Timeline.Attempt::key,
                        one -> one,
                        (one, other) -> one.from().isAfter(other.from()) ? one : other));
        Map<String, Claim> held = claims.held(Kind.STEP, null, null).stream()
                .collect(Collectors.toMap(one -> one.resource().id(), one -> one));
        List<Node> nodes = new ArrayList<>();
        List<Link> links = new ArrayList<>();
        for (Step step : steps) {
            StateBadge standing = StateBadge.of(step.state());
            Claim claim = held.get(step.id());
            nodes.add(new Node(
                    step.key(),
                    step.key(),
                    sub(step, standing, last.get(step.key())),
                    standing.look(),
                    standing.icon(),
                    Address.task(id) + "?step=" + step.key(),
                    claim == null ? null : Lease.of(claim, now),
                    step.finishedAt() != null));
            needs.getOrDefault(step.id(), List.of()).forEach(first -> links.add(new Link(first, step.key())));
        }
        return Drawing.of(nodes, links, Address.task(id) + "?view=list");
    }

    /** @param last its last attempt; null: none is known */
    private static String sub(Step step, StateBadge standing, Timeline.@Nullable Attempt last) {
        if (step.holder() != null) {
            return step.holder();
        }
        return step.state() == StepState.WAITING
                ? "waits for " + step.openDependencies() + (step.openDependencies() == 1 ? " step" : " steps")
                : step.state() == StepState.SUCCEEDED && last != null && last.until() != null
                        ? standing.word() + " in " + When.in(last.length(last.until()))
                        : standing.word();
    }

    private static List<TaskView.StepRow> rows(String id, List<Step> steps, Map<String, List<String>> needs) {
        return steps.stream()
                .map(step -> new TaskView.StepRow(
                        step.key(),
                        StateBadge.of(step.state()),
                        Objects.requireNonNullElse(step.holder(), ""),
                        String.join(", ", needs.getOrDefault(step.id(), List.of())),
                        Objects.requireNonNullElse(step.error(), ""),
                        Address.task(id) + "?view=list&step=" + step.key()))
                .toList();
    }
}
