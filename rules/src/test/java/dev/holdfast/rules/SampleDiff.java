package dev.holdfast.rules;

import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.DiffProblem;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A diff for tests, file by file. */
final class SampleDiff {
    private final StringBuilder text = new StringBuilder();

    SampleDiff created(String path, String... lines) {
        text.append("diff --git a/%1$s b/%1$s\nnew file mode 100644\n--- /dev/null\n+++ b/%1$s\n".formatted(path));
        return hunk(0, Arrays.stream(lines).map(line -> "+" + line).toList());
    }

    SampleDiff deleted(String path, String... lines) {
        text.append("diff --git a/%1$s b/%1$s\ndeleted file mode 100644\n--- a/%1$s\n+++ /dev/null\n".formatted(path));
        return hunk(1, Arrays.stream(lines).map(line -> "-" + line).toList());
    }

    /** The lines with their marks, such as {@code "+added"}, from line 10 on. */
    SampleDiff changed(String path, String... marked) {
        text.append("diff --git a/%1$s b/%1$s\n--- a/%1$s\n+++ b/%1$s\n".formatted(path));
        return hunk(10, List.of(marked));
    }

    SampleDiff binary(String path, String patch) {
        text.append("diff --git a/%1$s b/%1$s\nnew file mode 100644\nindex 000..111\nGIT binary patch\n%2$s\n"
                .formatted(path, patch));
        return this;
    }

    private SampleDiff hunk(int start, List<String> marked) {
        long before = marked.stream().filter(line -> !line.startsWith("+")).count();
        long after = marked.stream().filter(line -> !line.startsWith("-")).count();
        text.append("@@ -%d,%d +%d,%d @@\n".formatted(start, before, start == 0 ? 1 : after == 0 ? 0 : start, after));
        marked.forEach(line -> text.append(line).append('\n'));
        return this;
    }

    String text() {
        return text.toString();
    }

    /** What this rule alone finds. */
    List<Violation> by(Rule rule, Contents contents) {
        Set<String> others =
                Rules.names().stream().filter(name -> !name.equals(rule.name())).collect(Collectors.toSet());
        return switch (Diff.parse(text())) {
            case Diff diff -> Rules.without(others).check(diff, contents);
            case DiffProblem problem -> throw new AssertionError(problem + "\n" + text());
        };
    }

    /** Where it finds something, as {@code path:line}. */
    Stream<String> places(Rule rule) {
        return by(rule, Contents.OF_THE_DIFF).stream().map(finding -> finding.path() + ":" + finding.line());
    }
}
