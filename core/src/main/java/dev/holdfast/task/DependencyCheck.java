package dev.holdfast.task;

import dev.holdfast.claim.InvalidException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Checks the dependencies of new steps: every name is known, none is given twice, and there are no cycles. */
final class DependencyCheck {
    private static final int NAMED = 10;

    private DependencyCheck() {}

    /**
     * Throws if something is wrong with new steps.
     *
     * @param present the keys of those of their dependencies that the task already has
     */
    static void check(List<NewStep> steps, Set<String> present) {
        Map<String, NewStep> byKey = new LinkedHashMap<>();
        for (NewStep step : steps) {
            if (byKey.put(step.key(), step) != null) {
                throw new InvalidException("step key '" + step.key() + "' is given twice");
            }
        }
        Map<String, Integer> open = new HashMap<>();
        Map<String, List<String>> dependents = new HashMap<>();
        for (NewStep step : steps) {
            for (String before : step.dependsOn()) {
                if (byKey.containsKey(before)) {
                    open.merge(step.key(), 1, Integer::sum);
                    dependents.computeIfAbsent(before, _ -> new ArrayList<>()).add(step.key());
                } else if (!present.contains(before)) {
                    throw new InvalidException(
                            "step '" + step.key() + "' depends on '" + before + "', which is not a step of this task");
                }
            }
        }
        refuseCycles(byKey, open, dependents);
    }

    private static void refuseCycles(
            Map<String, NewStep> byKey, Map<String, Integer> open, Map<String, List<String>> dependents) {
        Set<String> left = new LinkedHashSet<>(byKey.keySet());
        Deque<String> free = new ArrayDeque<>(
                left.stream().filter(key -> !open.containsKey(key)).toList());
        while (!free.isEmpty()) {
            String done = free.poll();
            left.remove(done);
            for (String next : dependents.getOrDefault(done, List.of())) {
                if (open.merge(next, -1, Integer::sum) == 0) {
                    free.add(next);
                }
            }
        }
        if (!left.isEmpty()) {
            List<String> cycle = cycle(byKey, left);
            throw new InvalidException("these steps form a dependency cycle: "
                    + String.join(", ", cycle.subList(0, Math.min(NAMED, cycle.size())))
                    + (cycle.size() > NAMED ? ", ..." : ""));
        }
    }

    /** Each of these waits for another of them, so following them leads to a cycle. */
    private static List<String> cycle(Map<String, NewStep> byKey, Set<String> left) {
        Set<String> path = new LinkedHashSet<>();
        String key = left.iterator().next();
        while (path.add(key)) {
            key = Objects.requireNonNull(byKey.get(key)).dependsOn().stream()
                    .filter(left::contains)
                    .findFirst()
                    .orElseThrow();
        }
        List<String> all = List.copyOf(path);
        return all.subList(all.indexOf(key), all.size());
    }
}
