package dev.holdfast.rules;

import dev.holdfast.review.diff.Diff;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The rules that changes are checked against. */
public final class Rules {
    private static final List<Rule> ALL = List.of(
            new ConflictMarkers(),
            new Secrets(),
            new DebugCode(),
            new TestsRemoved(),
            new MissingTests(),
            new HugeFiles(),
            new Syntax(),
            new Whitespace());

    private final List<Rule> rules;

    private Rules(List<Rule> rules) {
        this.rules = rules;
    }

    public static List<String> names() {
        return ALL.stream().map(Rule::name).toList();
    }

    /**
     * All rules except these.
     *
     * @throws IllegalArgumentException when a name is not a rule
     */
    public static Rules without(Set<String> off) {
        off.stream().filter(name -> !names().contains(name)).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException(
                    "no such rule " + name + "; the rules are " + String.join(", ", names()));
        });
        return new Rules(ALL.stream().filter(rule -> !off.contains(rule.name())).toList());
    }

    /** All violations, in the order of the diff. */
    public List<Violation> check(Diff diff, Contents contents) {
        Change change = Change.of(diff, contents);
        Map<String, Integer> order = new HashMap<>();
        change.files().forEach(file -> order.putIfAbsent(file.path(), order.size()));
        return rules.stream()
                .flatMap(rule -> rule.check(change))
                .sorted(Comparator.comparing((Violation finding) -> order.getOrDefault(finding.path(), 0))
                        .thenComparingInt(Violation::line))
                .toList();
    }

    /** The names of the enabled rules. */
    public List<String> on() {
        return rules.stream().map(Rule::name).toList();
    }

    static Stream<Change.ChangedFile> textFiles(Change change) {
        return change.files().stream().filter(file -> file.change().binary() == null && !file.deleted());
    }
}
