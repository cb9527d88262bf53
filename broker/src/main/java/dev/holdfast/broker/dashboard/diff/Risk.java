package dev.holdfast.broker.dashboard.diff;

import java.util.Locale;
import java.util.regex.Pattern;

/** How much a mistake in a file would cost. Files are read in the order of {@link #rank}, the riskiest first. */
public enum Risk {
    SCHEMA("schema", "(^|/)(migrations?|schema)/|\\.sql$|\\.proto$"),
    AUTH("auth", "auth|login|passw|token|secret|crypt|permission|session|security"),
    MONEY("money", "bill|pay|price|refund|invoice|money|ledger|charge"),
    TEST("test", "(^|/)tests?/|(^|/)__tests__/|[Tt]est\\.[a-z]+$|_test\\.[a-z]+$|\\.spec\\.[a-z]+$"),
    DOCS("docs", "(^|/)docs?/|\\.(md|adoc|rst|txt)$"),
    LOCK("lock file", "(^|/)([\\w.-]*\\.lock|[\\w.-]*lockfile|package-lock\\.json|pnpm-lock\\.yaml|go\\.sum)$"),
    GENERATED(
            "generated",
            "(^|/)(generated|dist|vendor|node_modules)/|\\.min\\.(js|css)$|\\.g\\.[a-z]+$|_pb2?\\.[a-z]+$"),
    CODE("code", "");

    private final String word;
    private final Pattern pattern;

    Risk(String word, String pattern) {
        this.word = word;
        this.pattern = Pattern.compile(pattern);
    }

    /** The risk of a file, judged by its path alone. */
    public static Risk of(String path) {
        String lower = path.toLowerCase(Locale.ROOT);
        for (Risk special : new Risk[] {LOCK, GENERATED, TEST, DOCS, SCHEMA, AUTH, MONEY}) {
            if (special.pattern.matcher(special == TEST ? path : lower).find()) {
                return special;
            }
        }
        return CODE;
    }

    /** Its place in the reading order: code before tests and docs, files that nobody writes by hand last. */
    public int rank() {
        return switch (this) {
            case SCHEMA -> 0;
            case AUTH, MONEY -> 1;
            case CODE -> 2;
            case TEST -> 3;
            case DOCS -> 4;
            case LOCK, GENERATED -> 5;
        };
    }

    /** Whether such files are shown only on request. */
    public boolean folded() {
        return this == LOCK || this == GENERATED;
    }

    public String word() {
        return word;
    }
}
