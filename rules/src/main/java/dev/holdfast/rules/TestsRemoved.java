package dev.holdfast.rules;

import dev.holdfast.review.diff.DiffLine;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Tests that are removed or disabled while the code they test stays. */
final class TestsRemoved implements Rule {
    private static final Pattern TEST =
            Pattern.compile("^\\s*(@(Test|ParameterizedTest|RepeatedTest|Property|Example)\\b|(async\\s+)?def"
                    + " test_\\w+|func (Test|Fuzz)\\w+\\(|#\\[(tokio::)?test\\]|(it|test)\\s*(\\.each\\b.*)?\\(\\s*[\"'`]"
                    + "|\\[(Fact|Theory|Test|TestMethod)\\b)");

    private static final Pattern OFF = Pattern.compile(
            "^\\s*(@(Disabled|Ignore)\\b|(it|test|describe)\\.skip\\s*\\(|x(it|describe|test)\\s*\\("
                    + "|@(pytest\\.mark\\.(skip|xfail)|unittest\\.skip)\\b|t\\.Skip(f|Now)?\\(|#\\[ignore\\b|\\[Ignore\\b)");

    @Override
    public String name() {
        return "tests_removed";
    }

    @Override
    public Stream<Violation> check(Change change) {
        List<Change.ChangedFile> tests =
                change.files().stream().filter(file -> isTestCode(file.name())).toList();
        return Stream.concat(removed(change, tests), tests.stream().flatMap(this::switchedOff));
    }

    private static boolean isTestCode(FileName name) {
        return name.isTest() && name.isCode();
    }

    private Stream<Violation> removed(Change change, List<Change.ChangedFile> tests) {
        long gone = tests.stream()
                .flatMap(Change.ChangedFile::removed)
                .filter(TestsRemoved::isTest)
                .count();
        long come = tests.stream()
                .flatMap(Change.ChangedFile::addedByHand)
                .filter(TestsRemoved::isTest)
                .count();
        if (gone <= come || codeGoesToo(change)) {
            return Stream.empty(); // moved or rewritten, or the tested code is gone too
        }
        return tests.stream()
                .filter(file -> file.removed().filter(TestsRemoved::isTest).count()
                        > file.addedByHand().filter(TestsRemoved::isTest).count())
                .map(file -> file.removed()
                        .filter(TestsRemoved::isTest)
                        .findFirst()
                        .map(line -> file.at(
                                line,
                                name(),
                                (gone - come) + (gone - come == 1 ? " test is" : " tests are")
                                        + " removed and not replaced: keep them, or remove what they test as well"))
                        .orElseThrow());
    }

    private static boolean isTest(DiffLine line) {
        return line.text().length() <= Change.LONGEST
                && TEST.matcher(line.text()).find();
    }

    /** Whether non-test code is deleted, file by file, or mostly shrinks. */
    private static boolean codeGoesToo(Change change) {
        List<Change.ChangedFile> code = change.files().stream()
                .filter(file -> file.name().isCode() && !file.name().isTest())
                .toList();
        return code.stream().anyMatch(Change.ChangedFile::deleted)
                || code.stream().mapToInt(file -> file.change().removed()).sum()
                        > 2
                                * code.stream()
                                        .mapToInt(file -> file.change().added())
                                        .sum();
    }

    private Stream<Violation> switchedOff(Change.ChangedFile file) {
        long before =
                file.removed().filter(line -> OFF.matcher(line.text()).find()).count();
        return file.addedByHand()
                .filter(line -> OFF.matcher(line.text()).find())
                .skip(before)
                .map(line ->
                        file.at(line, name(), "a test is disabled: fix it, or remove it together with what it tests"));
    }
}
