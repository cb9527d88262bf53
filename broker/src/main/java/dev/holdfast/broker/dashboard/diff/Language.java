package dev.holdfast.broker.dashboard.diff;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What it takes to colour a line of a language: its keywords, and how comments and strings begin. */
record Language(Set<String> words, String comment, boolean block, boolean types, boolean caseless) {
    private static final Language NONE = new Language(Set.of(), "", false, false, false);

    private static final Language C_LIKE = new Language(
            Set.of(
                    ("abstract as async await auto bool boolean break byte case catch char class const constexpr continue"
                                    + " crate def default defer delete do double else enum export extends extern false final finally float fn"
                                    + " for func function go goto if impl implements import in instanceof int interface internal is let long"
                                    + " match mod move mut namespace native new nil null open operator override package permits private"
                                    + " protected pub public record ref return sealed self short static strictfp struct super switch"
                                    + " synchronized template this throw throws trait transient true try type typedef typename typeof"
                                    + " undefined union unsafe unsigned use using val var virtual void volatile when where while with yield")
                            .split(" ")),
            "//",
            true,
            true,
            false);

    private static final Language PYTHON = new Language(
            Set.of(
                    ("and as assert async await break class continue def del elif else except False finally for from global if"
                                    + " import in is lambda None nonlocal not or pass raise return True try while with yield self")
                            .split(" ")),
            "#",
            false,
            true,
            false);

    private static final Language SHELL = new Language(
            Set.of(
                    "if then else elif fi for while until do done case esac in function return exit export local set unset readonly trap exec"
                            .split(" ")),
            "#",
            false,
            false,
            false);

    private static final Language SQL = new Language(
            Set.of(
                    ("add all alter and as asc begin between by case check collate column commit concurrently conflict constraint"
                                    + " create cross default delete desc distinct do drop else end exists false for foreign from group having if in"
                                    + " index inner insert int integer into is join key left like limit not null nothing on or order outer"
                                    + " primary references returning right rollback select set table text then timestamptz true union unique"
                                    + " update using values view when where with bigint boolean")
                            .split(" ")),
            "--",
            true,
            false,
            true);

    private static final Language SETTINGS =
            new Language(Set.of("true", "false", "null", "yes", "no", "on", "off"), "#", false, false, false);

    private static final Map<String, Language> BY_ENDING = Map.ofEntries(
            Map.entry("java", C_LIKE),
            Map.entry("kt", C_LIKE),
            Map.entry("kts", C_LIKE),
            Map.entry("scala", C_LIKE),
            Map.entry("groovy", C_LIKE),
            Map.entry("gradle", C_LIKE),
            Map.entry("js", C_LIKE),
            Map.entry("mjs", C_LIKE),
            Map.entry("cjs", C_LIKE),
            Map.entry("jsx", C_LIKE),
            Map.entry("ts", C_LIKE),
            Map.entry("tsx", C_LIKE),
            Map.entry("go", C_LIKE),
            Map.entry("rs", C_LIKE),
            Map.entry("c", C_LIKE),
            Map.entry("h", C_LIKE),
            Map.entry("cc", C_LIKE),
            Map.entry("cpp", C_LIKE),
            Map.entry("hpp", C_LIKE),
            Map.entry("cs", C_LIKE),
            Map.entry("swift", C_LIKE),
            Map.entry("php", C_LIKE),
            Map.entry("css", C_LIKE),
            Map.entry("json", C_LIKE),
            Map.entry("py", PYTHON),
            Map.entry("rb", PYTHON),
            Map.entry("sh", SHELL),
            Map.entry("bash", SHELL),
            Map.entry("zsh", SHELL),
            Map.entry("sql", SQL),
            Map.entry("yml", SETTINGS),
            Map.entry("yaml", SETTINGS),
            Map.entry("toml", SETTINGS),
            Map.entry("properties", SETTINGS),
            Map.entry("ini", SETTINGS));

    /** The language of a file; one without colours if the file's extension is unknown. */
    static Language of(String path) {
        int dot = path.lastIndexOf('.');
        return dot < 0 ? NONE : BY_ENDING.getOrDefault(path.substring(dot + 1).toLowerCase(Locale.ROOT), NONE);
    }

    boolean isPlain() {
        return words.isEmpty();
    }

    boolean isWord(String word) {
        return words.contains(caseless ? word.toLowerCase(Locale.ROOT) : word);
    }
}
