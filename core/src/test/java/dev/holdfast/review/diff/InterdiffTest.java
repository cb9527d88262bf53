package dev.holdfast.review.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.holdfast.testing.TestRepository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterdiffTest {
    private static final String BASE =
            IntStream.rangeClosed(1, 60).mapToObj(line -> "line " + line + "\n").collect(Collectors.joining());

    @TempDir
    Path folder;

    private TestRepository repository;

    @BeforeEach
    void a_repository() {
        repository = TestRepository.in(folder);
        repository.write("a.txt", BASE);
        repository.write("b.txt", BASE);
        repository.commitAll("base");
    }

    @Test
    void just_the_line_that_the_second_round_does_otherwise_is_shown() {
        Diff first = round("a.txt", BASE.replace("line 20\n", "first try\nand more\n"));
        Diff second = round("a.txt", BASE.replace("line 20\n", "second try\nand more\n"));
        assertThat(Interdiff.between(first, second).text()).isEqualTo("""
                --- a.txt\tbefore
                +++ a.txt\tafter
                @@ -17,7 +17,7 @@
                 line 17
                 line 18
                 line 19
                -first try
                +second try
                 and more
                 line 21
                 line 22
                """);
    }

    @Test
    void the_same_change_is_no_difference() {
        Diff first = round("a.txt", BASE.replace("line 20\n", "changed\n"));
        Interdiff interdiff = Interdiff.between(first, first);
        assertThat(interdiff.isEmpty()).isTrue();
        assertThat(interdiff.text()).isEmpty();
    }

    @Test
    void a_round_that_only_moved_to_a_newer_base_is_no_difference() {
        Diff first = round("a.txt", BASE.replace("line 20\n", "changed\n").replace("line 50\n", "changed too\n"));
        String newer = "above\n".repeat(9) + BASE.replace("line 35\n", "between\nthem\n");
        repository.write("a.txt", newer);
        repository.commitAll("newer base");
        Diff second = round("a.txt", newer.replace("line 20\n", "changed\n").replace("line 50\n", "changed too\n"));
        assertThat(second.text()).isNotEqualTo(first.text());
        assertThat(Interdiff.between(first, second).isEmpty()).isTrue();
    }

    @Test
    void lines_around_the_change_that_came_with_a_newer_base_are_told_but_are_no_change() {
        Diff first = round("a.txt", BASE.replace("line 20\n", "changed\n"));
        String newer = BASE.replace("line 18\n", "line 18 of another\n");
        repository.write("a.txt", newer);
        repository.commitAll("newer base");
        Diff second = round("a.txt", newer.replace("line 20\n", "changed\n"));
        Interdiff interdiff = Interdiff.between(first, second);
        assertThat(interdiff.files().getFirst().status()).isEqualTo(FileInterdiff.Status.CONTEXT_CHANGED);
        assertThat(interdiff.text()).isEqualTo("# a.txt: only the lines around the change differ\n");
    }

    @Test
    void a_line_that_changed_in_the_base_and_is_replaced_by_both_rounds_is_no_change() {
        Diff first = round("a.txt", BASE.replace("line 20\n", "changed\n"));
        String newer = BASE.replace("line 20\n", "line 20 of another\n");
        repository.write("a.txt", newer);
        repository.commitAll("newer base");
        Diff second = round("a.txt", newer.replace("line 20 of another\n", "changed\n"));
        assertThat(Interdiff.between(first, second).files().getFirst().hunks()).isEmpty();
    }

    @Test
    void a_change_that_the_second_round_adds_elsewhere_is_shown_alone() {
        String once = BASE.replace("line 20\n", "changed\n");
        Diff first = round("a.txt", once);
        Diff second = round("a.txt", once.replace("line 50\n", "").replace("line 51\n", "new 51\n"));
        assertThat(Interdiff.between(first, second).text()).isEqualTo("""
                --- a.txt\tbefore
                +++ a.txt\tafter
                @@ -47,8 +47,7 @@
                 line 47
                 line 48
                 line 49
                -line 50
                -line 51
                +new 51
                 line 52
                 line 53
                 line 54
                """);
    }

    @Test
    void a_change_that_the_second_round_takes_back_is_shown_reversed() {
        String once = BASE.replace("line 20\n", "changed\n");
        Diff first = round("a.txt", once.replace("line 50\n", "one\ntwo\n"));
        Diff second = round("a.txt", once);
        assertThat(Interdiff.between(first, second).files().getFirst().hunks().getFirst().lines().stream()
                        .filter(line -> line.kind() != DiffLine.Kind.CONTEXT)
                        .map(line -> line.kind().mark() + line.text()))
                .containsExactlyInAnyOrder("-one", "-two", "+line 50");
    }

    @Test
    void files_that_only_one_round_touches_are_named_with_what_that_means() {
        Diff first = round("a.txt", BASE.replace("line 20\n", "changed\n"));
        repository.git("checkout", "-q", ".");
        Diff second = round("b.txt", BASE.replace("line 20\n", "changed\n"));
        Interdiff interdiff = Interdiff.between(first, second);
        assertThat(interdiff.files().stream().map(FileInterdiff::status))
                .containsExactly(FileInterdiff.Status.ONLY_BEFORE, FileInterdiff.Status.ONLY_AFTER);
        assertThat(interdiff.text())
                .contains("# a.txt: no longer changed\n", "-changed\n+line 20\n")
                .contains("# b.txt: newly changed\n", "-line 20\n+changed\n");
    }

    @Test
    void another_mode_or_name_or_binary_content_is_noted() throws Exception {
        repository.write("x.bin", new byte[] {0, 1});
        Files.move(folder.resolve("a.txt"), folder.resolve("c.txt"));
        Diff first = all();
        repository.write("x.bin", new byte[] {0, 2});
        Files.move(folder.resolve("c.txt"), folder.resolve("d.txt"));
        assertThat(folder.resolve("d.txt").toFile().setExecutable(true)).isTrue();
        Diff second = all();
        assertThat(Interdiff.between(first, second).text()).isEqualTo("""
                # d.txt: path was c.txt, is d.txt
                # d.txt: old mode was unchanged, is 100644
                # d.txt: mode was unchanged, is 100755
                # x.bin: binary content differs
                """);
    }

    @Test
    void a_file_that_lost_its_last_newline_is_a_difference() {
        Diff first = round("a.txt", BASE.replace("line 60\n", "end\n"));
        Diff second = round("a.txt", BASE.replace("line 60\n", "end"));
        assertThat(Interdiff.between(first, second).text()).endsWith("-end\n+end\n\\ No newline at end of file\n");
    }

    @Test
    void the_interdiff_leads_from_the_one_content_to_the_other() {
        String one = BASE.replace("line 20\n", "x\n").replace("line 22\n", "").replace("line 40\n", "y\ny\n");
        String two =
                BASE.replace("line 21\n", "x\n").replace("line 40\n", "y\nz\n").replace("line 41\n", "w\n");
        String interdiff =
                Interdiff.between(round("a.txt", one), round("a.txt", two)).text();
        repository.write("a.txt", one);
        Path patch = repository.write("interdiff.patch", interdiff);
        repository.git("apply", "-p0", "--unidiff-zero", patch.toString());
        assertThat(folder.resolve("a.txt")).hasContent(two);
    }

    @Test
    void two_large_rounds_without_a_common_line_are_compared_in_bounded_time() {
        Diff first = Diffs.read(created(100_000, line -> "+" + line % 7));
        Diff second = Diffs.read(created(100_000, line -> "+x" + line % 5));
        Diff third = Diffs.read(created(100_000, line -> "+" + line * 31 % 11));
        // far more than it takes: only ends a run whose time would grow with the square of the lines
        assertTimeoutPreemptively(Duration.ofMinutes(2), () -> {
            assertThat(Interdiff.between(first, second).isEmpty()).isFalse();
            assertThat(Interdiff.between(first, third).isEmpty()).isFalse();
        });
    }

    private static String created(int lines, IntFunction<String> line) {
        return "--- /dev/null\n+++ b/x\n@@ -0,0 +1," + lines + " @@\n"
                + IntStream.range(0, lines).mapToObj(line).collect(Collectors.joining("\n"));
    }

    private Diff round(String path, String content) {
        repository.write(path, content);
        return Diffs.read(repository.git("diff"));
    }

    private Diff all() {
        repository.git("add", "-A");
        return Diffs.read(repository.git("diff", "--cached", "--binary"));
    }
}
