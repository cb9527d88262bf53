package dev.holdfast.broker.pool.engine;

import dev.holdfast.rules.RuleReviewer;
import dev.holdfast.rules.Rules;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The built-in reviewers without a model: a Java process on the broker's own JDK and jars. */
public final class RuleReviewers implements ReviewerEngine {
    private final Set<String> off;

    /**
     * @param off the names of the rules to leave out
     * @throws UnusableLaunchException when a name is not a rule
     */
    public RuleReviewers(Set<String> off) {
        try {
            Rules.without(off);
        } catch (IllegalArgumentException e) {
            throw new UnusableLaunchException("rules_off: " + e.getMessage());
        }
        this.off = new TreeSet<>(off);
    }

    @Override
    public String name() {
        return "rules";
    }

    @Override
    public Launch launch(LaunchSpec spec) {
        return new Launch(
                argv(),
                ReviewerEnvironment.of(spec),
                ReviewerEnvironment.inherited(Set.of(), Set.of()),
                null,
                spec.workspace());
    }

    private List<String> argv() {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // it starts often, mostly waits, and there may be ten of them
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-Dfile.encoding=UTF-8",
                "-cp",
                classPath(),
                RuleReviewer.class.getName()));
        words.addAll(off);
        return words;
    }

    /** The reviewer runs in the project's folder, where a relative or empty entry would load the project's classes. */
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
