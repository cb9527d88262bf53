package dev.holdfast.review.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testing.TestRepository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnchorsTest {
    private static final String BASE =
            IntStream.rangeClosed(1, 60).mapToObj(line -> "line " + line + "\n").collect(Collectors.joining());

    @TempDir
    Path folder;

    private TestRepository repository;
    private Diff first;
    private Anchor added;

    @BeforeEach
    void a_round_that_replaces_line_20_by_three() {
        repository = TestRepository.in(folder);
        repository.write("a.txt", BASE);
        repository.commitAll("base");
        first = round(BASE.replace("line 20\n", "one\ntwo\nthree\n"));
        added = anchor(first, Side.NEW, 21);
    }

    @Test
    void an_anchor_knows_the_text_of_its_line_on_either_side() {
        assertThat(added).isEqualTo(new Anchor("a.txt", Side.NEW, 21, "two"));
        assertThat(anchor(first, Side.OLD, 20).text()).isEqualTo("line 20");
        assertThat(anchor(first, Side.NEW, 19).text()).isEqualTo("line 19");
    }

    @Test
    void a_line_that_the_diff_does_not_show_has_no_anchor() {
        assertThat(Anchors.at(first, "a.txt", Side.NEW, 40)).isEmpty();
        assertThat(Anchors.at(first, "b.txt", Side.NEW, 20)).isEmpty();
    }

    @Test
    void a_line_that_moved_is_still_there_with_its_new_number() {
        Diff second = round(BASE.replace("line 20\n", "one\ntwo\nthree\n").replace("line 5\n", "5\n5\n5\n"));
        assertThat(carried(added, second))
                .isEqualTo(new CarriedAnchor.StillThere(new Anchor("a.txt", Side.NEW, 23, "two")));
        Anchor old = anchor(first, Side.OLD, 20);
        assertThat(carried(old, second)).isEqualTo(new CarriedAnchor.StillThere(old));
    }

    @Test
    void what_is_said_of_a_whole_file_holds_until_its_change_is_another_and_is_dropped_with_it() {
        Anchor file = anchor(first, Side.NEW, Anchor.WHOLE_FILE);
        assertThat(Anchors.at(first, "b.txt", Side.NEW, Anchor.WHOLE_FILE)).isEmpty();

        assertThat(carried(file, first)).isEqualTo(new CarriedAnchor.StillThere(file));
        assertThat(carried(file, round(BASE.replace("line 20\n", "one\n")))).isEqualTo(new CarriedAnchor.Outdated());
        Diff without = (Diff) Diff.parse("--- a/b.txt\n+++ b/b.txt\n@@ -1,1 +1,1 @@\n-a\n+b\n");
        assertThat(carried(file, without)).isEqualTo(new CarriedAnchor.Gone());
        assertThat(Anchors.between(first, without).isDropped(file)).isTrue();
    }

    @Test
    void a_line_that_was_changed_is_outdated() {
        assertThat(carried(added, round(BASE.replace("line 20\n", "one\nTWO\nthree\n"))))
                .isEqualTo(new CarriedAnchor.Outdated());
        assertThat(carried(added, round(BASE.replace("line 20\n", "one\nthree\n"))))
                .isEqualTo(new CarriedAnchor.Outdated());
    }

    @Test
    void a_line_whose_neighbour_changed_is_outdated() {
        assertThat(carried(added, round(BASE.replace("line 20\n", "one\ntwo\nTHREE\n"))))
                .isEqualTo(new CarriedAnchor.Outdated());
        assertThat(carried(added, round(BASE.replace("line 20\n", "one\nand a half\ntwo\nthree\n"))))
                .isEqualTo(new CarriedAnchor.Outdated());
    }

    @Test
    void a_change_further_away_in_the_hunk_does_not_matter() {
        assertThat(carried(added, round(BASE.replace("line 20\n", "zero\none\ntwo\nthree\nfour\n"))))
                .isEqualTo(new CarriedAnchor.StillThere(new Anchor("a.txt", Side.NEW, 22, "two")));
    }

    @Test
    void a_place_that_the_next_round_does_not_show_is_gone() {
        assertThat(carried(added, round(BASE.replace("line 50\n", "fifty\n")))).isEqualTo(new CarriedAnchor.Gone());
    }

    @Test
    void a_file_that_the_next_round_does_not_touch_is_gone() {
        repository.write("a.txt", BASE);
        repository.write("b.txt", BASE);
        repository.git("add", "-N", ".");
        assertThat(carried(added, Diffs.read(repository.git("diff")))).isEqualTo(new CarriedAnchor.Gone());
    }

    @Test
    void an_added_line_that_the_next_round_adds_nowhere_is_dropped() {
        assertThat(dropped(added, round(BASE.replace("line 50\n", "fifty\n")))).isTrue();
        assertThat(dropped(anchor(first, Side.OLD, 20), round(BASE.replace("line 50\n", "fifty\n"))))
                .isTrue();
    }

    @Test
    void an_added_line_that_the_next_round_adds_to_another_file_is_not_dropped() {
        repository.write("b.txt", "one\ntwo\n");
        repository.git("add", "-N", ".");
        assertThat(dropped(added, round(BASE))).as("it may have moved there").isFalse();
    }

    @Test
    void a_line_around_the_change_is_dropped_only_with_its_file() {
        Anchor around = anchor(first, Side.NEW, 19);
        assertThat(dropped(around, round(BASE.replace("line 50\n", "fifty\n")))).isFalse();
        repository.write("a.txt", BASE);
        repository.write("b.txt", BASE);
        repository.git("add", "-N", ".");
        assertThat(dropped(around, Diffs.read(repository.git("diff")))).isTrue();
    }

    @Test
    void an_added_line_that_the_base_has_in_the_next_round_is_still_there() {
        repository.commitAll("part of it is in the base now");
        Diff second = round(BASE.replace("line 20\n", "one\ntwo\nthree\n").replace("line 22\n", "22\n"));
        assertThat(carried(added, second)).isEqualTo(new CarriedAnchor.StillThere(added));
    }

    @Test
    void a_line_follows_its_file_to_another_name() throws Exception {
        Files.move(folder.resolve("a.txt"), folder.resolve("c.txt"));
        repository.git("add", "-A");
        Diff second = Diffs.read(repository.git("diff", "--cached"));
        assertThat(carried(added, second))
                .isEqualTo(new CarriedAnchor.StillThere(new Anchor("c.txt", Side.NEW, 21, "two")));
    }

    @Test
    void of_equal_lines_the_one_that_was_meant_is_followed() {
        Diff before = round(BASE.replace("line 20\n", "}\n").replace("line 30\n", "}\n"));
        Diff after = round(
                BASE.replace("line 20\n", "}\n").replace("line 24\n", "}\n").replace("line 30\n", "}\n"));
        Anchor second = anchor(before, Side.NEW, 30);
        assertThat(Anchors.between(before, after).carry(second)).isEqualTo(new CarriedAnchor.StillThere(second));
    }

    @Test
    void an_anchor_that_the_first_round_never_had_is_gone() {
        assertThat(carried(new Anchor("a.txt", Side.NEW, 21, "something else"), first))
                .isEqualTo(new CarriedAnchor.Gone());
    }

    private CarriedAnchor carried(Anchor anchor, Diff second) {
        return Anchors.between(first, second).carry(anchor);
    }

    private boolean dropped(Anchor anchor, Diff second) {
        assertThat(carried(anchor, second)).isEqualTo(new CarriedAnchor.Gone());
        return Anchors.between(first, second).isDropped(anchor);
    }

    private static Anchor anchor(Diff diff, Side side, int line) {
        return Anchors.at(diff, "a.txt", side, line).orElseThrow();
    }

    private Diff round(String content) {
        repository.write("a.txt", content);
        return Diffs.read(repository.git("diff"));
    }
}
