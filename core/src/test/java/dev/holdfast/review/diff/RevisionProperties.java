package dev.holdfast.review.diff;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;

/** What a revision does not depend on, and what it does. */
class RevisionProperties {
    /** A file's part of a diff, from which text is made. */
    record Section(String path, String mode, List<List<String>> hunks, String binary) {
        String text(int offset, String index) {
            String header =
                    "diff --git a/" + path + " b/" + path + "\nold mode 100644\nnew mode " + mode + "\n" + index;
            if (!binary.isEmpty()) {
                return header + "GIT binary patch\nliteral 4\n" + binary + "\n\n";
            }
            StringBuilder text = new StringBuilder(header + "--- a/" + path + "\n+++ b/" + path + "\n");
            int line = 1 + offset;
            for (List<String> hunk : hunks) {
                long old = hunk.stream().filter(each -> each.charAt(0) != '+').count();
                long now = hunk.stream().filter(each -> each.charAt(0) != '-').count();
                text.append("@@ -%d,%d +%d,%d @@ at %d\n".formatted(line, old, line, now, offset));
                hunk.forEach(each -> text.append(each).append('\n'));
                line += 100;
            }
            return text.toString();
        }
    }

    private static String text(List<Section> sections) {
        return sections.stream().map(section -> section.text(0, "")).collect(Collectors.joining());
    }

    @Property(tries = 300)
    void looks_do_not_matter(
            @ForAll("sections") List<Section> sections,
            @ForAll @IntRange(max = 5_000) int offset,
            @ForAll Random random) {
        List<String> parts = new ArrayList<>(sections.stream()
                .map(section -> section.text(offset, "index 12ab..34cd\n"))
                .toList());
        Collections.shuffle(parts, random);
        String shuffled = String.join("", parts);
        ContentHash revision = Diffs.revision(
                sections.stream().map(section -> section.text(offset, "")).collect(Collectors.joining()));
        assertThat(ContentHash.wherever(Diffs.read(shuffled)))
                .isEqualTo(ContentHash.wherever(Diffs.read(text(sections))));
        assertThat(Diffs.revision(shuffled)).isEqualTo(revision);
        assertThat(Diffs.revision("Some words.\n\n" + shuffled + "-- \n2.39.5\n"))
                .isEqualTo(revision);
        assertThat(Diffs.revision(shuffled.substring(0, shuffled.length() - 1))).isEqualTo(revision);
        assertThat(Diffs.revision(shuffled.replaceFirst("\n[ \n]*\\z", ""))).isEqualTo(revision);
    }

    @Property(tries = 300)
    void each_line_matters(@ForAll("sections") List<Section> sections, @ForAll Random random) {
        ContentHash revision = Diffs.revision(text(sections));
        int chosen = random.nextInt(sections.size());
        Section section = sections.get(chosen);
        List<List<String>> hunks = new ArrayList<>(section.hunks());
        int hunk = random.nextInt(hunks.size());
        int line = random.nextInt(hunks.get(hunk).size());
        List<List<String>> others = List.of(
                with(hunks.get(hunk), line, hunks.get(hunk).get(line) + " "),
                with(hunks.get(hunk), line, hunks.get(hunk).get(line) + "\r"),
                with(hunks.get(hunk), line, otherMark(hunks.get(hunk).get(line))),
                inserted(hunks.get(hunk), line, "+x"),
                inserted(hunks.get(hunk), line, "-x"),
                inserted(hunks.get(hunk), line, " x"),
                inserted(hunks.get(hunk), line, " "));
        for (List<String> other : others) {
            Section changed = new Section(section.path(), section.mode(), with(hunks, hunk, other), "");
            assertThat(Diffs.revision(text(with(sections, chosen, changed)))).isNotEqualTo(revision);
        }
    }

    @Property(tries = 100)
    void path_mode_and_binary_content_matter(@ForAll("sections") List<Section> sections, @ForAll Random random) {
        ContentHash revision = Diffs.revision(text(sections));
        int chosen = random.nextInt(sections.size());
        Section section = sections.get(chosen);
        List<Section> others = List.of(
                new Section(section.path() + "x", section.mode(), section.hunks(), section.binary()),
                new Section(section.path(), "120000", section.hunks(), section.binary()),
                new Section(section.path(), section.mode(), section.hunks(), "LcmZQzWMT#Y01f~M"));
        for (Section other : others) {
            assertThat(Diffs.revision(text(with(sections, chosen, other)))).isNotEqualTo(revision);
        }
    }

    @Property(tries = 300)
    void no_text_makes_the_reader_throw(@ForAll("noise") String noise) {
        assertThat(Diff.parse(noise)).isNotNull();
    }

    /** Whatever is cut out or doubled in a diff: it is read, or the problem is told. */
    @Property(tries = 300)
    void no_damage_makes_the_reader_throw(@ForAll("sections") List<Section> sections, @ForAll Random random) {
        String text = text(sections);
        int from = random.nextInt(text.length());
        int to = from + random.nextInt(text.length() - from);
        assertThat(Diff.parse(text.substring(0, from) + text.substring(to))).isNotNull();
        ParseResult doubled = Diff.parse(text.substring(0, to) + text.substring(from));
        if (doubled instanceof Diff diff) {
            diff.files().forEach(file -> assertThat(file.lines()).hasSize(file.lineCount()));
            assertThat(Interdiff.between(diff, Diffs.read(text)).text()).isNotNull();
        }
    }

    @Provide
    Arbitrary<String> noise() {
        return Arbitraries.of(
                        "diff --git a/x b/x\n",
                        "diff --git ",
                        "--- a/x\n",
                        "+++ b/x\n",
                        "--- ",
                        "+++ ",
                        "@@ -1,2 +1 @@\n",
                        "@@ -0,0 +1 @@\n",
                        "@@ -",
                        "+",
                        "-",
                        " ",
                        "\n",
                        "\r\n",
                        "\\",
                        "\"",
                        "\\303",
                        "/dev/null\n",
                        "GIT binary patch\n",
                        "literal 3\n",
                        "Binary files ",
                        " and ",
                        " differ\n",
                        "rename from x\n",
                        "rename to y\n",
                        "index \n",
                        "new file mode 100644\n",
                        "deleted file mode \n",
                        "x",
                        "\t",
                        "é")
                .list()
                .ofMaxSize(40)
                .map(pieces -> String.join("", pieces));
    }

    @Provide
    Arbitrary<List<Section>> sections() {
        Arbitrary<String> line = Combinators.combine(
                        Arbitraries.of("+", "-", " "),
                        Arbitraries.of("", "a", "b", "  a", "-- ", "++ x", "é", "@@ -1 +1 @@"))
                .as(String::concat);
        Arbitrary<List<List<String>>> hunks =
                line.list().ofMinSize(1).ofMaxSize(6).list().ofMinSize(1).ofMaxSize(3);
        Arbitrary<String> binary = Arbitraries.frequency(Tuple.of(5, ""), Tuple.of(1, "LcmZQzWMT#Y01f~L"));
        return Combinators.combine(
                        Arbitraries.of("x", "src/y z", "b/w", "a", "dir/é"),
                        Arbitraries.of("100755", "100600"),
                        hunks,
                        binary)
                .as(Section::new)
                .list()
                .uniqueElements(Section::path)
                .ofMinSize(1)
                .ofMaxSize(4);
    }

    private static String otherMark(String line) {
        return (line.charAt(0) == '+' ? "-" : "+") + line.substring(1);
    }

    private static <T> List<T> with(List<T> list, int at, T item) {
        List<T> changed = new ArrayList<>(list);
        changed.set(at, item);
        return changed;
    }

    private static <T> List<T> inserted(List<T> list, int at, T item) {
        List<T> changed = new ArrayList<>(list);
        changed.add(at, item);
        return changed;
    }
}
