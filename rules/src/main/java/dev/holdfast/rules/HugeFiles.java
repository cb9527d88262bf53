package dev.holdfast.rules;

import dev.holdfast.review.diff.DiffLine;
import dev.holdfast.review.diff.FileChange;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What nobody can review: files that are too large, and generated ones. */
final class HugeFiles implements Rule {
    private static final int MANY_LINES = 3_000;
    private static final int LARGE_BINARY = 1 << 20;

    /** Generated, but belongs in a repository. */
    private static final Pattern LOCK = Pattern.compile(
            "(^|/)(package-lock\\.json|npm-shrinkwrap\\.json|yarn\\.lock|pnpm-lock\\.yaml|Cargo\\.lock|go\\.sum|poetry\\.lock|uv\\.lock|Gemfile\\.lock|composer\\.lock|flake\\.lock|gradle\\.lockfile|bun\\.lock)$");

    private static final Pattern MADE = Pattern.compile(
            "(^|/)(node_modules|__pycache__|\\.gradle|\\.idea/caches|\\.pytest_cache|\\.mypy_cache|\\.tox|\\.venv)/|(^|/)target/(classes|test-classes|surefire-reports)/");

    private static final Set<String> PRODUCTS =
            Set.of("class", "pyc", "pyo", "o", "obj", "so", "dylib", "dll", "exe", "war", "ear", "whl", "egg");

    private static final Pattern SIZE = Pattern.compile("^literal (\\d{1,18})$", Pattern.MULTILINE);

    @Override
    public String name() {
        return "huge_files";
    }

    @Override
    public Stream<Violation> check(Change change) {
        return change.files().stream()
                .filter(file -> !file.deleted() && !LOCK.matcher(file.path()).find())
                .flatMap(file -> problem(file).stream());
    }

    private Optional<Violation> problem(Change.ChangedFile file) {
        if (file.created() && isMade(file.name())) {
            return Optional.of(
                    file.atStart(name(), "generated from other files: keep it out of the repository (.gitignore)"));
        }
        if (file.change().added() > MANY_LINES) {
            return Optional.of(file.atStart(
                    name(),
                    file.change().added() + " added lines are too many to review (more than " + MANY_LINES
                            + "): split the change, or leave the file out if it is generated"));
        }
        long bytes = binarySize(file.change());
        if (bytes > LARGE_BINARY) {
            return Optional.of(file.atStart(
                    name(), "a binary file of " + (bytes >> 10) + " kB: keep it elsewhere, such as in Git LFS"));
        }
        return file.added()
                .filter(HugeFiles::isLong)
                .findFirst()
                .map(line -> file.at(
                        line,
                        name(),
                        "a line of " + line.text().length()
                                + " characters, as in minified code: nobody can review it"));
    }

    private static boolean isMade(FileName name) {
        return MADE.matcher(name.path()).find()
                || PRODUCTS.contains(name.extension())
                || name.base().equals(".DS_Store")
                || name.base().equals("Thumbs.db");
    }

    private static boolean isLong(DiffLine line) {
        return line.text().length() > Change.LONGEST;
    }

    private static long binarySize(FileChange file) {
        FileChange.Binary binary = file.binary();
        if (binary == null || binary.patch() == null) {
            return 0;
        }
        Matcher size = SIZE.matcher(binary.patch());
        return size.find() ? Long.parseLong(size.group(1)) : 0;
    }
}
