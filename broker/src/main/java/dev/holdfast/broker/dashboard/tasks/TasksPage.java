package dev.holdfast.broker.dashboard.tasks;

import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.task.Task;
import dev.holdfast.task.TaskState;
import dev.holdfast.task.Tasks;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All tasks, newest first, each with what it waits for. */
public final class TasksPage {
    private static final int PAGE = 30;

    private final Tasks tasks;
    private final Claims claims;

    public TasksPage(Sources sources) {
        tasks = sources.tasks();
        claims = sources.claims();
    }

    public Sheet show(Visit visit) {
        String asked = Objects.requireNonNullElse(visit.query("state"), "");
        TaskState state = Arrays.stream(TaskState.values())
                .filter(one -> one.toString().equals(asked))
                .findFirst()
                .orElse(null);
        List<Task> found = tasks.list(state, null, before(visit.query("before")), PAGE + 1);
        List<Task> shown = found.subList(0, Math.min(PAGE, found.size()));
        Map<String, Long> held = held();
        TasksView view = new TasksView(
                lead(),
                state == null ? "" : state.toString(),
                shown.stream()
                        .map(task ->
                                TaskRow.of(task, held.getOrDefault(task.id(), 0L), why(task, visit.now()), visit.now()))
                        .toList(),
                found.size() > PAGE ? shown.getLast().id() : null,
                shown.isEmpty() && tasks.list(null, null, Long.MAX_VALUE, 1).isEmpty());
        return Sheet.of("tasks", "Tasks", view).live("task:", "step:", "finalization:");
    }

    /** How many steps are held, by task: a step's id begins with its task's. */
    private Map<String, Long> held() {
        return claims.held(Kind.STEP, null, null).stream()
                .map(claim -> claim.resource().id())
                .collect(Collectors.groupingBy(id -> id.substring(0, id.indexOf('.')), Collectors.counting()));
    }

    private List<String> why(Task task, Instant now) {
        return tasks.explain(task.id()).stream()
                .map(one -> When.inWords(one, now))
                .toList();
    }

    private long before(@Nullable String id) {
        try {
            return id == null ? Long.MAX_VALUE : tasks.place(id);
        } catch (RefusedException _) {
            return Long.MAX_VALUE; // it is gone: start from the beginning
        }
    }

    private String lead() {
        int max = 100;
        int open = tasks.list(TaskState.OPEN, null, Long.MAX_VALUE, max).size();
        return open == 0
                ? "No tasks running"
                : open == 1 ? "1 task running" : (open == max ? "More than " + (max - 1) : open) + " tasks running";
    }
}
