package dev.holdfast.work.beads;

import dev.holdfast.work.WorkLimits;
import dev.holdfast.work.beads.BeadsIssue.Edge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything that some lines name, prerequisites before dependents: the order in which items are locked. Closing one of
 * them locks on from there in the same direction, and opposite orders would deadlock.
 */
final class BeadsOrder {
    private final Map<String, BeadsIssue> issues = new HashMap<>();
    private final Set<String> begun = new LinkedHashSet<>();
    private final Set<String> order = new LinkedHashSet<>();

    private BeadsOrder(Collection<BeadsLine> lines) {
        lines.forEach(line -> issues.put(line.issue().id(), line.issue()));
    }

    static List<String> of(Collection<BeadsLine> lines) {
        BeadsOrder order = new BeadsOrder(lines);
        order.issues.keySet().stream().sorted().forEach(order::place);
        return List.copyOf(order.order);
    }

    /**
     * Not recursive, because a chain may be long. Lines may contain cycles; then one of them is simply placed first.
     */
    private void place(String start) {
        Deque<String> path = new ArrayDeque<>();
        path.push(start);
        while (!path.isEmpty()) {
            String id = path.peek();
            List<String> before = begun.add(id) ? before(id) : List.of();
            if (before.isEmpty()) {
                order.add(path.pop());
            } else {
                before.forEach(path::push);
            }
        }
    }

    private List<String> before(String id) {
        BeadsIssue issue = issues.get(id);
        if (issue == null) {
            return List.of();
        }
        List<String> before = new ArrayList<>();
        for (Edge edge : issue.dependencies()) {
            if (WorkLimits.couldBe(edge.dependsOn()) && !begun.contains(edge.dependsOn())) {
                before.add(edge.dependsOn());
            }
        }
        return before;
    }
}
