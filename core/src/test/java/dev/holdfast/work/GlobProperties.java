package dev.holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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
