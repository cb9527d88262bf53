package dev.holdfast.rules;

import dev.holdfast.review.diff.Side;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * JSON, YAML, XML and TOML that programs cannot parse. Needs whole files: those that a change creates, and changed ones
 * that are in the workspace. For others, it notes that they were not checked.
 */
final class Syntax implements Rule {
    @Override
    public String name() {
        return "syntax";
    }

    @Override
    public Stream<Violation> check(Change change) {
        return Rules.textFiles(change)
                .filter(file -> file.change().newPath() != null && !file.lines().isEmpty())
                .flatMap(file -> Format.of(file.name()).flatMap(format -> check(file, format)).stream());
    }

    private Optional<Violation> check(Change.ChangedFile file, Format format) {
        String kind = format.name().replace("_WITH_COMMENTS", "");
        return file.after()
                .map(text -> format.problem(text).map(problem -> broken(file, kind, problem, text)))
                .orElseGet(() -> Optional.of(new Violation(
                        name(),
                        file.path(),
                        Side.NEW,
                        0,
                        Severity.NOTE,
                        "not checked as " + kind
                                + ": the diff shows only part of the file, and the workspace does not have"
                                + " the file in that version")));
    }

    private Violation broken(Change.ChangedFile file, String kind, Format.Problem problem, String text) {
        int last = (int) Math.max(1, text.lines().count()); // parsers report an unexpected end behind it
        return new Violation(
                name(),
                file.path(),
                Side.NEW,
                Math.min(problem.line(), last),
                Severity.SHOULD_FIX,
                "not valid " + kind + ": " + problem.message());
    }
}
