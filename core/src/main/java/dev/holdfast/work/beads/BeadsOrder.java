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
 * Everything that some lines name, what comes first before what depends on it: the order in which items are locked. Whoever
 * closes one of them locks on from there, and two who went opposite ways would wait for each other.
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

    /** Without recursion: a chain may be long. Of a circle, which lines may have, somebody has to be the first. */
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
