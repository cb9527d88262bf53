package dev.holdfast.rules;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** What a path says about its file, by the conventions of many languages. */
record FileName(String path) {
    private static final Set<String> CODE = Set.of(
            "java", "kt", "kts", "scala", "groovy", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "vue", "svelte",
            "py", "rb", "go", "rs", "c", "h", "cc", "cpp", "cxx", "hpp", "cs", "fs", "swift", "m", "mm", "php", "pl",
            "ex", "exs", "erl", "hs", "clj", "cljs", "dart", "lua", "jl", "zig");

    private static final Set<String> DOCUMENTS =
            Set.of("md", "markdown", "mdx", "rst", "adoc", "asciidoc", "txt", "html");

    private static final Pattern TEST = Pattern.compile(
            "(^|/)(tests?|__tests__|specs?|testing|testdata|test_data|fixtures?|__mocks__|__snapshots__|e2e|it)/"
                    + "|(^|/)src/[a-zA-Z]*[tT]est[a-zA-Z]*/"
                    + "|(^|/)(test_[^/]*|conftest|[^/]*[_.-](test|tests|spec|specs|e2e)|[^/]*(Test|Tests|TestCase|Spec|Properties|IT))\\.[a-z]+$");

    String base() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    String extension() {
        String base = base();
        int dot = base.lastIndexOf('.');
        return dot < 0 ? "" : base.substring(dot + 1).toLowerCase(Locale.ROOT);
    }

    boolean isTest() {
        return TEST.matcher(path).find();
    }

    boolean isCode() {
        return CODE.contains(extension());
    }

    boolean isDocument() {
        return DOCUMENTS.contains(extension());
    }
}
