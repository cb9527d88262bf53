package dev.holdfast.rules;

import dev.holdfast.review.diff.DiffLine;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Keys, tokens and passwords. Findings do not repeat them. */
final class Secrets implements Rule {
    private record Kind(String what, Pattern pattern) {
        static Kind of(String what, String pattern) {
            return new Kind(what, Pattern.compile(pattern));
        }
    }

    /** Secrets that are recognizable by their form alone. */
    private static final List<Kind> FORMS = List.of(
            Kind.of("a private key", "-----BEGIN ([A-Z]+ )*PRIVATE KEY( BLOCK)?-----"),
            Kind.of("an AWS access key", "\\b(AKIA|ASIA)[0-9A-Z]{16}\\b"),
            Kind.of("a GitHub token", "\\b(gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})"),
            Kind.of("a GitLab token", "\\bglpat-[A-Za-z0-9_-]{20,}"),
            Kind.of("a Slack token", "\\bxox[abeoprs]-[A-Za-z0-9-]{20,}"),
            Kind.of("a Stripe key", "\\b[rs]k_live_[A-Za-z0-9]{20,}"),
            Kind.of("an Anthropic key", "\\bsk-ant-[A-Za-z0-9_-]{20,}"),
            Kind.of("an OpenAI key", "\\bsk-(proj-)?[A-Za-z0-9_-]{32,}"),
            Kind.of("a Google key", "\\bAIza[0-9A-Za-z_-]{35}\\b"),
            Kind.of("an npm token", "\\bnpm_[A-Za-z0-9]{36}\\b"),
            Kind.of(
                    "a signed token (JWT)",
                    "\\beyJ[A-Za-z0-9_-]{10,500}\\.eyJ[A-Za-z0-9_-]{10,500}\\.[A-Za-z0-9_-]{10,}"));

    private static final Pattern ASSIGNED = Pattern.compile(
            "(?i)(password|passwd|pwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token|private[_-]?key)[a-z0-9_-]*"
                    + "[\"']?\\s*(:=|[:=])\\s*[\"']([^\"'\\s]{8,})[\"']");

    private static final Pattern IN_ADDRESS =
            Pattern.compile("[a-z][a-z0-9+.-]*://[^/\\s:@\"'{}$<]+:([^/\\s:@\"'{}$<]{6,})@[A-Za-z0-9.-]+");

    /** Placeholders that people write instead of a secret. */
    private static final Pattern NO_SECRET = Pattern.compile(
            "(?i).*(example|sample|dummy|placeholder|change.?me|your|todo|redacted|secret|passw|test|fake|none|null|localhost"
                    + "|\\*{3}|x{4}|\\.{3}|\\$\\{|\\{\\{|<|%\\(|env).*");

    private static final int OVERLAP = 500;

    private static final Set<String> FILES =
            Set.of("id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", ".env", ".netrc", ".pgpass");
    private static final Set<String> EXTENSIONS = Set.of("p12", "pfx", "jks", "keystore", "kdbx");

    @Override
    public String name() {
        return "secrets";
    }

    @Override
    public Stream<Violation> check(Change change) {
        return change.files().stream().filter(file -> !file.deleted()).flatMap(this::check);
    }

    private Stream<Violation> check(Change.ChangedFile file) {
        FileName name = file.name();
        boolean holder = FILES.contains(name.base()) || EXTENSIONS.contains(name.extension());
        Stream<Violation> asFile = file.created() && holder && !name.isTest()
                ? Stream.of(file.atStart(
                        name(), "files with this name hold secrets: keep it out of the repository (.gitignore)"))
                : Stream.empty();
        return Stream.concat(
                asFile,
                file.added()
                        .flatMap(line -> in(line, name)
                                .map(what -> file.at(
                                        line,
                                        name(),
                                        what + " is in this line: remove it, and replace it wherever it is used"))
                                .stream()));
    }

    private static Optional<String> in(DiffLine line, FileName name) {
        String text = line.text();
        Optional<String> form = byForm(text);
        if (form.isPresent() || text.length() > Change.LONGEST) {
            return form;
        }
        if (name.isTest() || name.isDocument()) {
            return Optional.empty(); // made-up secrets are common there
        }
        Matcher assigned = ASSIGNED.matcher(text);
        if (assigned.find() && looksRandom(assigned.group(3))) {
            return Optional.of(
                    "a value of \"" + assigned.group(1).toLowerCase(Locale.ROOT) + "\" that looks like a secret");
        }
        Matcher address = IN_ADDRESS.matcher(text);
        if (address.find() && !NO_SECRET.matcher(address.group(1)).matches()) {
            return Optional.of("an address with a password in it");
        }
        return Optional.empty();
    }

    /** Splits long lines into overlapping pieces: patterns must not go over a whole long line again and again. */
    private static Optional<String> byForm(String text) {
        for (int from = 0; from == 0 || from + OVERLAP < text.length(); from += Change.LONGEST - OVERLAP) {
            String piece = text.substring(from, Math.min(text.length(), from + Change.LONGEST));
            for (Kind kind : FORMS) {
                Matcher found = kind.pattern().matcher(piece);
                if (found.find() && !found.group().contains("EXAMPLE")) {
                    return Optional.of(kind.what());
                }
            }
        }
        return Optional.empty();
    }

    /** Names and words consist of one kind of character; secrets mix them. */
    private static boolean looksRandom(String value) {
        if (NO_SECRET.matcher(value).matches()) {
            return false;
        }
        boolean digits = value.chars().anyMatch(Character::isDigit);
        boolean letters = value.chars().anyMatch(Character::isLetter);
        boolean separated = value.matches("[a-z0-9]+([-_./:][a-z0-9]+)+"); // a lower-case name or path
        return digits && letters && !separated && value.chars().distinct().count() >= 6;
    }
}
