package dev.holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.holdfast.claim.InvalidException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Whether two globs overlap, against trying out all paths. The globs are short enough that what they have in common is
 * among these: two parts a name, of which at most one is a star, and two plain names each.
 */
class GlobProperties {
    private static final List<String> PATHS = paths();

    private static List<String> paths() {
        List<String> names = List.of("a", "b", "aa", "ab", "ba", "bb");
        List<String> paths = new ArrayList<>(names);
        List<String> longest = names;
        for (int depth = 2; depth <= 4; depth++) {
            List<String> deeper = new ArrayList<>();
            for (String path : longest) {
                names.forEach(name -> deeper.add(path + "/" + name));
            }
            paths.addAll(deeper);
            longest = deeper;
        }
        return paths;
    }

    @Property(tries = 3_000)
    void two_globs_overlap_just_when_some_path_is_covered_by_both(
            @ForAll("globs") String one, @ForAll("globs") String other) {
        Pattern first = pattern(one);
        Pattern second = pattern(other);
        boolean found = PATHS.stream().anyMatch(path -> covers(first, path) && covers(second, path));
        assertThat(Glob.of(one).overlaps(Glob.of(other)))
                .as(one + " and " + other)
                .isEqualTo(found);
        assertThat(Glob.of(other).overlaps(Glob.of(one))).isEqualTo(found);
    }

    @Property(tries = 1_000)
    void a_path_by_itself_overlaps_just_the_globs_that_cover_it(
            @ForAll("globs") String glob, @ForAll("somePath") String path) {
        Pattern pattern = pattern(glob);
        boolean below = PATHS.stream()
                .anyMatch(deeper -> (deeper.equals(path) || deeper.startsWith(path + "/")) && covers(pattern, deeper));
        assertThat(Glob.literal(path).overlaps(Glob.of(glob))).isEqualTo(below);
    }

    /** Names with many parts, and many stars among them, against trying out all pairs of places in both. */
    @Property(tries = 5_000)
    void long_names_overlap_just_when_both_can_be_read_to_their_ends_together(
            @ForAll("longNames") List<String> one, @ForAll("longNames") List<String> other) {
        boolean expected = together(one, 0, other, 0, new HashMap<>());
        Glob first = Glob.of("x/" + String.join("", one));
        Glob second = Glob.of("x/" + String.join("", other));
        assertThat(first.overlaps(second)).as(first + " and " + second).isEqualTo(expected);
        assertThat(second.overlaps(first)).isEqualTo(expected);
    }

    @Provide
    Arbitrary<List<String>> longNames() {
        return Arbitraries.of("a", "a", "b", "c", "?", "*", "*", "[ab]", "[!a]", "[a-c]", "[b-bca]")
                .list()
                .ofMinSize(1)
                .ofMaxSize(9)
                .filter(parts -> !parts.stream().allMatch("*"::equals));
    }

    private static boolean together(
            List<String> one, int here, List<String> other, int there, Map<List<Integer>, Boolean> known) {
        Boolean before = known.get(List.of(here, there));
        if (before == null) {
            boolean mineIsStar = here < one.size() && one.get(here).equals("*");
            boolean itsIsStar = there < other.size() && other.get(there).equals("*");
            if (here == one.size() && there == other.size()) {
                before = true;
            } else if (mineIsStar) {
                before = together(one, here + 1, other, there, known)
                        || (there < other.size() && together(one, here, other, there + 1, known));
            } else if (itsIsStar) {
                before = together(one, here, other, there + 1, known)
                        || (here < one.size() && together(one, here + 1, other, there, known));
            } else {
                before = here < one.size()
                        && there < other.size()
                        && "abcd".chars().anyMatch(c -> is(one.get(here), c) && is(other.get(there), c))
                        && together(one, here + 1, other, there + 1, known);
            }
            known.put(List.of(here, there), before);
        }
        return before;
    }

    private static boolean is(String part, int c) {
        return switch (part) {
            case "?" -> true;
            case "[ab]" -> c == 'a' || c == 'b';
            case "[!a]" -> c != 'a';
            case "[a-c]", "[b-bca]" -> c <= 'c';
            default -> part.charAt(0) == c;
        };
    }

    @Example
    void a_path_is_itself_however_long_deep_and_odd_it_is() {
        String deep = "src/" + "[d]{e}*/".repeat(300) + "x".repeat(255);
        assertThat(Glob.literal(deep).overlaps(Glob.of("src/**"))).isTrue();
        assertThat(Glob.literal(deep).overlaps(Glob.of("src/d"))).isFalse();
        assertThat(Glob.literal("a/[b]*").overlaps(Glob.of("a/\\[b\\]\\*"))).isTrue();
    }

    @Example
    void what_would_cost_too_much_to_compare_is_refused_in_words() {
        assertRefused("*a".repeat(51), "more than 50 wildcards");
        assertRefused("[a-z]".repeat(51), "more than 50 wildcards");
        assertRefused("**/".repeat(51) + "b", "more than 50 wildcards");
        assertRefused("a".repeat(256), "longer than 255 characters");
        assertRefused("a/".repeat(100) + "b", "more than 100 levels deep");
        assertRefused("a".repeat(1_001), "1000");
        assertThatThrownBy(() -> Glob.all(Collections.nCopies(51, "a"))).hasMessageContaining("1 to 50 globs");
        assertThatThrownBy(() -> Glob.all(Collections.nCopies(50, "a/".repeat(99) + "aaa")))
                .hasMessageContaining("at most 10000 characters in total");
    }

    @Example
    void up_to_the_limits_everything_is_accepted() {
        assertThat(Glob.all(Collections.nCopies(50, "a/".repeat(99) + "aa"))).hasSize(50); // 10,000 characters
        assertThat(Glob.of("a/".repeat(99) + "a").names()).hasSize(100);
        assertThat(Glob.of("a".repeat(255))).hasToString("a".repeat(255));
        assertThat(Glob.of("a/" + "?".repeat(50)).names()).hasSize(2);
    }

    @Example
    void a_set_is_read_as_a_shell_reads_it() {
        assertSet("[ab]", "ab", "c]");
        assertSet("[]a]", "]a", "b[");
        assertSet("[!]a]", "b[", "]a");
        assertSet("[^]a]", "b[", "]a");
        assertSet("[!!]", "a", "!");
        assertSet("[a-]", "a-", "b");
        assertSet("[-a]", "-a", "b");
        assertSet("[a-a]", "a", "b-");
        assertSet("[a-ce]", "abce", "d-");
        assertSet("[ac-]", "ac-", "b");
        assertSet("[b-dc-ea]", "abcde", "f");
        assertSet("[!b-c]", "ad", "bc");
        assertSet("[.-0]", ".0", "1-");
        assertRefused("[z-a]", "ends before it begins");
        assertRefused("a[", "a [ without a matching ]");
        assertRefused("[]", "a [ without a matching ]");
        assertRefused("[!]", "a [ without a matching ]");
        assertRefused("[ab", "a [ without a matching ]");
        assertRefused("a\\", "a backslash that escapes nothing");
        assertRefused("{a,b}", "has braces");
    }

    private static void assertSet(String set, String in, String out) {
        in.chars()
                .forEach(c -> assertThat(Glob.of("x" + set).overlaps(Glob.literal("x" + (char) c)))
                        .as(set + " and " + (char) c)
                        .isTrue());
        out.chars()
                .forEach(c -> assertThat(Glob.of("x" + set).overlaps(Glob.literal("x" + (char) c)))
                        .as(set + " and " + (char) c)
                        .isFalse());
    }

    private static void assertRefused(String glob, String why) {
        assertThatThrownBy(() -> Glob.of(glob))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining(why);
    }

    /** The worst that can be written, a thousand times; before, one pair of long ones took a tenth of a second. */
    @Example
    void the_worst_globs_are_compared_in_no_time() {
        List<String> worst = List.of(
                "*" + "a".repeat(127) + "b",
                "a".repeat(255),
                "*a".repeat(25) + "a".repeat(150) + "b*",
                "*?".repeat(25) + "a".repeat(200),
                "[a-z]".repeat(49) + "a".repeat(150) + "*",
                "**/".repeat(25) + "*a".repeat(12) + "b",
                ("*" + "a".repeat(120) + "/").repeat(8) + "b");
        List<Glob> globs = worst.stream().map(Glob::of).toList();
        assertTimeoutPreemptively(Duration.ofMinutes(2), () -> {
            for (int i = 0; i < 1_000; i++) {
                for (Glob one : globs) {
                    globs.forEach(one::overlaps);
                }
            }
        });
    }

    @Provide
    Arbitrary<String> somePath() {
        return Arbitraries.of(PATHS.stream().filter(path -> path.length() <= 3).toList());
    }

    @Provide
    Arbitrary<String> globs() {
        Arbitrary<String> name = Arbitraries.of("a", "b", "?", "*", "[ab]", "[!a]", "\\a")
                .list()
                .ofMinSize(1)
                .ofMaxSize(2)
                .map(parts -> String.join("", parts))
                .filter(text -> !text.equals("**"));
        Arbitrary<List<String>> plain = name.list().ofMinSize(1).ofMaxSize(2);
        Arbitrary<Integer> place = Arbitraries.integers().between(-1, 2);
        return Combinators.combine(plain, place).as((names, at) -> {
            List<String> all = new ArrayList<>(names);
            if (at >= 0 && at <= all.size()) {
                all.add(at, "**");
            }
            return String.join("/", all);
        });
    }

    /** The same by a regular expression for paths with a slash at their end. */
    private static Pattern pattern(String glob) {
        StringBuilder regex = new StringBuilder();
        for (String name : glob.split("/")) {
            regex.append(
                    name.equals("**")
                            ? "(?:[^/]+/)*"
                            : name.replace("\\a", "a")
                                            .replace("*", "[^/]*")
                                            .replace("?", "[^/]")
                                            .replace("[!", "[^/")
                                    + "/");
        }
        return Pattern.compile(regex + ".*");
    }

    private static boolean covers(Pattern pattern, String path) {
        return pattern.matcher(path + "/").matches();
    }

    @Example
    void names_are_compared_by_character_not_by_half_of_one() {
        assertThat(Glob.of("?").overlaps(Glob.of("😀"))).isTrue();
        assertThat(Glob.of("??").overlaps(Glob.of("😀"))).isFalse();
        assertThat(Glob.of("[😀-😂]x").overlaps(Glob.of("😁*"))).isTrue();
    }

    @Example
    void examples_that_people_write() {
        assertThat(Glob.of("src/**/*.java").overlaps(Glob.of("src/main/dev/Main.java")))
                .isTrue();
        assertThat(Glob.of("src/**/*.java").overlaps(Glob.of("src/Main.java"))).isTrue();
        assertThat(Glob.of("src/**/*.java").overlaps(Glob.of("docs"))).isFalse();
        assertThat(Glob.of("src/").overlaps(Glob.of("src/main"))).isTrue();
        assertThat(Glob.of("./src").overlaps(Glob.of("src2"))).isFalse();
        assertThat(Glob.of("**").overlaps(Glob.of("x/y/z"))).isTrue();
        assertThat(Glob.of("*.md").overlaps(Glob.of("README.txt"))).isFalse();
        assertThat(Glob.of("[.-0]a").overlaps(Glob.of("0a"))).isTrue();
    }
}
