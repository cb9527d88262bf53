package dev.holdfast.review.diff;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** On one base, the interdiff leads from the one round's content exactly to the other's. */
class InterdiffProperties {
    /** Changes of a base: for each line whether it stays, and what is put before it. */
    private static List<String> changed(List<String> base, Random random, List<String> script) {
        List<String> content = new ArrayList<>();
        for (int line = 0; line < base.size(); line++) {
            if (random.nextInt(12) == 0) {
                String added = "new " + random.nextInt(4);
                content.add(added);
                script.add("+" + added);
            }
            if (random.nextInt(12) == 0) {
                script.add("-" + base.get(line));
            } else {
                content.add(base.get(line));
                script.add(" " + base.get(line));
            }
        }
        return content;
    }

    @Property(tries = 500)
    void applied_to_the_first_content_it_gives_the_second(
            @ForAll Random random, @ForAll @IntRange(min = 1, max = 120) int size) {
        List<String> base =
                random.ints(size, 0, 60).mapToObj(line -> "line " + line).toList();
        List<String> firstScript = new ArrayList<>();
        List<String> secondScript = new ArrayList<>();
        List<String> first = changed(base, random, firstScript);
        List<String> second = changed(base, random, secondScript);
        Diff before = Diffs.read(diff(firstScript));
        Diff after = Diffs.read(diff(secondScript));
        List<DiffLine> lines = Interdiff.between(before, after).files().stream()
                .flatMap(file -> file.hunks().stream())
                .flatMap(hunk -> hunk.lines().stream())
                .toList();
        assertThat(applied(lines, first)).isEqualTo(second);
    }

    private static List<String> applied(List<DiffLine> lines, List<String> content) {
        List<String> result = new ArrayList<>();
        int next = 0;
        for (DiffLine line : lines) {
            while (next < line.oldNumber() - 1) {
                result.add(content.get(next++));
            }
            if (line.kind() != DiffLine.Kind.ADDED) {
                assertThat(content.get(next)).isEqualTo(line.text());
                next++;
            }
            if (line.kind() != DiffLine.Kind.REMOVED) {
                result.add(line.text());
            }
        }
        result.addAll(content.subList(next, content.size()));
        return result;
    }

    /** A unified diff with three lines of context; with an empty hunk when nothing is changed. */
    private static String diff(List<String> script) {
        StringBuilder text = new StringBuilder("--- a/x\n+++ b/x\n");
        int oldLine = 1;
        int newLine = 1;
        List<String> hunk = new ArrayList<>();
        int oldStart = 1;
        int newStart = 1;
        for (int at = 0; at < script.size(); at++) {
            if (isNearChange(script, at)) {
                if (hunk.isEmpty()) {
                    oldStart = oldLine;
                    newStart = newLine;
                }
                hunk.add(script.get(at));
            } else {
                write(text, hunk, oldStart, newStart);
            }
            oldLine += script.get(at).charAt(0) == '+' ? 0 : 1;
            newLine += script.get(at).charAt(0) == '-' ? 0 : 1;
        }
        write(text, hunk, oldStart, newStart);
        return text.indexOf("@@") < 0 ? text + "@@ -0,0 +0,0 @@\n" : text.toString();
    }

    private static boolean isNearChange(List<String> script, int at) {
        return script.subList(Math.max(0, at - 3), Math.min(script.size(), at + 4)).stream()
                .anyMatch(line -> line.charAt(0) != ' ');
    }

    private static void write(StringBuilder text, List<String> hunk, int oldStart, int newStart) {
        if (hunk.isEmpty()) {
            return;
        }
        long old = hunk.stream().filter(line -> line.charAt(0) != '+').count();
        long now = hunk.stream().filter(line -> line.charAt(0) != '-').count();
        text.append("@@ -%d,%d +%d,%d @@\n"
                .formatted(old == 0 ? oldStart - 1 : oldStart, old, now == 0 ? newStart - 1 : newStart, now));
        hunk.forEach(line -> text.append(line).append('\n'));
        hunk.clear();
    }
}
