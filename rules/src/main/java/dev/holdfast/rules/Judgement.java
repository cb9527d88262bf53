package dev.holdfast.rules;

import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.DiffProblem;
import dev.holdfast.review.diff.Side;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules' judgement of a proposal: a verdict with its reason.
 *
 * @param findings all findings; the reason lists them too
 * @param shown those at lines that the diff shows
 */
public record Judgement(boolean approved, String reason, List<Violation> findings, List<Violation> shown) {
    private static final int MAX = 50;

    /**
     * Checks a proposal against the rules.
     *
     * @param diff null: there is none
     */
    public static Judgement of(@Nullable String diff, Rules rules, Contents contents) {
        if (diff == null || diff.isBlank()) {
            return new Judgement(true, "There is no diff, so no rule applies.", List.of(), List.of());
        }
        return switch (Diff.parse(diff)) {
            case DiffProblem problem ->
                new Judgement(
                        false,
                        "The diff cannot be read, so no rule could be applied: " + problem,
                        List.of(),
                        List.of());
            case Diff read -> of(read, rules, rules.check(read, contents));
        };
    }

    private static String files(int count) {
        return count + (count == 1 ? " file" : " files");
    }

    private static String violations(long count) {
        return count + (count == 1 ? " rule violation" : " rule violations");
    }

    private static Judgement of(Diff diff, Rules rules, List<Violation> findings) {
        boolean approved = findings.stream().noneMatch(Violation::blocks);
        String summary = approved
                ? "No rule is broken (" + files(diff.affectedFiles().size()) + "; rules: "
                        + String.join(", ", rules.on())
                        + "). Rules check form only: nobody has judged whether the change is right."
                : violations(findings.stream().filter(Violation::blocks).count()) + ":";
        Stream<String> places = findings.stream().limit(MAX).map(finding -> "- " + finding);
        Stream<String> more =
                findings.size() > MAX ? Stream.of("- and " + (findings.size() - MAX) + " more") : Stream.empty();
        return new Judgement(
                approved,
                Stream.concat(Stream.of(summary), Stream.concat(places, more)).collect(Collectors.joining("\n")),
                findings,
                findings.stream().filter(finding -> shows(diff, finding)).toList());
    }

    private static boolean shows(Diff diff, Violation finding) {
        boolean old = finding.side() == Side.OLD;
        return diff.files().stream()
                .filter(file -> file.path().equals(finding.path()))
                .flatMap(file -> file.hunks().stream())
                .anyMatch(hunk -> {
                    int start = old ? hunk.oldStart() : hunk.newStart();
                    int count = old ? hunk.oldCount() : hunk.newCount();
                    return finding.line() >= start && finding.line() < start + count;
                });
    }
}
