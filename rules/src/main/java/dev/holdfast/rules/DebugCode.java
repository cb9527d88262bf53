package dev.holdfast.rules;

import dev.holdfast.review.diff.DiffLine;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Debugging code that people forget to remove. */
final class DebugCode implements Rule {
    /** @param habitual many programs do this on purpose: report it only in files that do not already do it */
    private record Trace(Set<String> extensions, Pattern pattern, String what, boolean habitual) {
        static Trace of(Set<String> extensions, String pattern, String what) {
            return new Trace(extensions, Pattern.compile(pattern), what, false);
        }

        static Trace usual(Set<String> extensions, String pattern, String what) {
            return new Trace(extensions, Pattern.compile(pattern), what, true);
        }
    }

    private static final Set<String> SCRIPTS = Set.of("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "vue", "svelte");
    private static final Set<String> JVM = Set.of("java", "kt", "kts", "scala", "groovy");

    private static final List<Trace> TRACES = List.of(
            Trace.of(SCRIPTS, "(^|[;{}]\\s*)\\s*debugger\\s*;?\\s*$", "debugger"),
            Trace.of(
                    SCRIPTS, "\\b(describe|it|test|context|suite)\\.only\\s*\\(", ".only, which skips all other tests"),
            Trace.of(SCRIPTS, "^\\s*f(it|describe)\\s*\\(", "a focused test, which skips all others"),
            Trace.usual(SCRIPTS, "\\bconsole\\.(log|debug|trace|dir|table)\\s*\\(", "console output"),
            Trace.of(Set.of("py"), "\\b(breakpoint\\(\\)|i?pdb\\.set_trace\\(\\)|import i?pdb\\b)", "a breakpoint"),
            Trace.of(Set.of("py"), "^\\s*print\\(\\s*f?[\"'](DEBUG|XXX|here\\b|---|===|>>>)", "debug output"),
            Trace.usual(JVM, "\\bSystem\\.(out|err)\\.print", "console output"),
            Trace.of(JVM, "\\.printStackTrace\\(\\)|\\bThread\\.dumpStack\\(\\)", "a printed stack trace"),
            Trace.of(Set.of("rs"), "\\bdbg!\\s*\\(", "dbg!"),
            Trace.of(Set.of("go"), "\\bspew\\.Dump\\(|\\bruntime\\.Breakpoint\\(\\)", "debug output"),
            Trace.of(Set.of("rb"), "\\bbinding\\.(pry|irb)\\b|^\\s*(byebug|debugger)\\s*$", "a breakpoint"),
            Trace.of(Set.of("php"), "\\b(var_dump|print_r|dd)\\s*\\(", "debug output"),
            Trace.of(Set.of("cs"), "\\bDebugger\\.(Break|Launch)\\(\\)", "a breakpoint"));

    private static final Pattern NOT_MEANT =
            Pattern.compile("(?i)\\b(do not (commit|merge)|don't (commit|merge)|nocommit|no-commit)\\b");

    /** Paths of programs that communicate with people by printing. */
    private static final Pattern TALKS = Pattern.compile(
            "(?i)(^|/)(cli|bin|scripts?|tools?|examples?|demos?|bench(marks?)?|cmd)/|(Main|Cli|Command)[A-Za-z]*\\.[a-z]+$");

    @Override
    public String name() {
        return "debugging";
    }

    @Override
    public Stream<Violation> check(Change change) {
        return Rules.textFiles(change).filter(file -> !file.name().isDocument()).flatMap(this::check);
    }

    private Stream<Violation> check(Change.ChangedFile file) {
        List<Trace> traces = TRACES.stream()
                .filter(trace -> trace.extensions().contains(file.name().extension()))
                .filter(trace -> !trace.habitual() || !isHabit(file, trace))
                .toList();
        return file.added()
                .flatMap(line -> Stream.concat(
                        traces.stream()
                                .filter(trace -> trace.pattern()
                                        .matcher(withoutComment(line.text()))
                                        .find())
                                .limit(1)
                                .map(trace -> file.at(line, name(), "left over from debugging: " + trace.what())),
                        Stream.of(line)
                                .filter(any -> file.name().isCode()
                                        && NOT_MEANT.matcher(any.text()).find())
                                .map(any -> file.at(any, name(), "the line itself says not to commit it"))));
    }

    private static boolean isHabit(Change.ChangedFile file, Trace trace) {
        return file.name().isTest()
                || TALKS.matcher(file.path()).find()
                || file.lines().stream()
                        .filter(line -> line.kind() != DiffLine.Kind.ADDED)
                        .anyMatch(line -> trace.pattern().matcher(line.text()).find());
    }

    private static String withoutComment(String text) {
        String code = text.strip();
        return code.startsWith("//") || code.startsWith("*") || code.startsWith("/*") || code.startsWith("#")
                ? ""
                : text;
    }
}
