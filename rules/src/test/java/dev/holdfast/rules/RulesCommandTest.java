package dev.holdfast.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.git.Trap;
import dev.holdfast.git.TrappedRepository;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RulesCommandTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    @BeforeEach
    void repository() throws Exception {
        git("init", "-q");
        Files.writeString(folder.resolve("a.json"), "{\n  \"a\": 1\n}\n");
        commit("first");
    }

    @Test
    void what_is_staged_is_checked() throws Exception {
        Files.writeString(folder.resolve("a.json"), "{\n  \"a\": 1,\n}\n");
        Files.writeString(folder.resolve("b.txt"), "<<<<<<< HEAD\n");

        assertThat(run()).as("nothing is staged yet").isZero();
        git("add", "-A");

        assertThat(run("--staged")).isEqualTo(8);
        assertThat(text(out).lines())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("a.json:3: syntax: not valid JSON"))
                .anyMatch(line -> line.startsWith("b.txt:1: conflict_markers: "));
    }

    @Test
    void findings_are_one_list_for_programs_too() throws Exception {
        assertThat(run("--json")).isZero();
        assertThat(text(out)).isEqualTo("{\"findings\":[],\"blocking\":0}\n");
        out.reset();
        Files.writeString(folder.resolve("b.txt"), "<<<<<<< HEAD\n");
        git("add", "-A");
        assertThat(run("--json")).isEqualTo(8);
        JsonNode document = JsonMapper.shared().readTree(out.toByteArray());
        assertThat(document.path("findings")).hasSize(1);
        assertThat(document.path("blocking").asInt()).isEqualTo(1);
        assertThat(document.at("/findings/0/path").asString()).isEqualTo("b.txt");
        assertThat(document.at("/findings/0/line").asInt()).isEqualTo(1);
        assertThat(document.at("/findings/0/rule").asString()).isEqualTo("conflict_markers");
        assertThat(document.at("/findings/0/severity").asString()).isEqualTo("should_fix");
        out.reset();
        assertThat(run("--json", "--without", "nothing")).isEqualTo(2);
        assertThat(JsonMapper.shared().readTree(out.toByteArray()).path("code").asString())
                .isEqualTo("invalid");
        assertThat(text(errors)).isEmpty();
    }

    @Test
    void rules_can_be_left_out() throws Exception {
        Files.writeString(folder.resolve("b.txt"), "<<<<<<< HEAD\n");
        git("add", "-A");

        assertThat(run("--without", "conflict_markers")).isZero();
        assertThat(run("--without", "nothing")).isEqualTo(2);
        assertThat(text(errors)).contains("no such rule nothing");
    }

    @Test
    void a_range_of_commits_is_checked() throws Exception {
        Files.writeString(folder.resolve("b.js"), "debugger;\n");
        commit("second");

        assertThat(run("--range", "HEAD~1..HEAD")).isEqualTo(8);
        assertThat(text(out)).startsWith("b.js:1: debugging: ");
        assertThat(run("--range", "nothing..HEAD")).isEqualTo(1);
        assertThat(run("--range", "--output=x")).isEqualTo(2);
        assertThat(folder.resolve("x")).doesNotExist();
    }

    @Test
    void a_range_is_two_commits_and_three_dots_mean_since_they_parted() throws Exception {
        git("checkout", "-q", "-b", "side");
        Files.writeString(folder.resolve("b.js"), "debugger;\n");
        commit("second");
        git("checkout", "-q", "-b", "other", "HEAD~1");
        Files.writeString(folder.resolve("c.txt"), "<<<<<<< HEAD\n");
        commit("third");

        assertThat(run("--range", "other...side")).isEqualTo(8);
        assertThat(text(out)).startsWith("b.js:1: debugging: ").doesNotContain("c.txt");
        assertThat(run("--range", "HEAD~1")).as("not the working tree").isEqualTo(2);
        assertThat(text(errors)).contains("HEAD~1 is not a range of commits");
    }

    /** That plain git runs them is shown where the traps are made, in {@code TrapTest}. */
    @ParameterizedTest
    @EnumSource
    void nothing_that_a_repository_configures_is_run(Trap trap) throws Exception {
        TrappedRepository stranger = TrappedRepository.in(folder.toRealPath().resolve("trap"), trap);
        for (String where : List.of("", "vendor", "docs", "module")) {
            RulesCommand rules = new RulesCommand(
                    new ChangedFiles(stranger.folder().resolve(where), System.getenv()), stream(out), stream(errors));
            rules.run(List.of("--staged"));
            rules.run(List.of("--range", "side..HEAD"));
        }
        assertThat(stranger.sprung()).isEmpty();
    }

    /** Its settings may say that its working tree is anywhere: those are no files of the change. */
    @Test
    void files_of_a_working_tree_elsewhere_are_not_read() throws Exception {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("a.json"), "{\n  \"a\": 1,\n  secret\n}\n");
        git("config", "core.worktree", elsewhere.toString());
        Path file = folder.resolve("x.diff");
        Files.writeString(file, "--- a/a.json\n+++ b/a.json\n@@ -1,2 +1,2 @@\n {\n-  \"a\": 1,\n+  \"a\": 2,\n");

        assertThat(run("--diff", file.toString())).isZero();
        assertThat(text(out)).doesNotContain("secret").contains("a.json").contains("not checked");
    }

    @Test
    void a_diff_from_a_file_is_checked_and_control_characters_of_its_names_are_not_printed() throws Exception {
        Path file = folder.resolve("x.diff");
        Files.writeString(
                file, new SampleDiff().created("a.txt", ">>>>>>> x").text().replace("a.txt", "\u001b[31m"));

        assertThat(run("--diff", file.toString())).isEqualTo(8);
        assertThat(text(out)).startsWith("\\u001b[31m:1: conflict_markers");
        assertThat(run("--diff", folder.resolve("none").toString())).isEqualTo(2);
    }

    @Test
    void wrong_calls_are_explained() throws Exception {
        assertThat(run("--stage")).isEqualTo(2);
        assertThat(run("--diff")).isEqualTo(2);
        assertThat(run("--staged", "--diff", "x")).isEqualTo(2);
        assertThat(text(errors).lines()).hasSize(3);
        assertThat(run("--help")).isZero();
        assertThat(text(out)).contains(Rules.names());
    }

    private int run(String... arguments) {
        return new RulesCommand(new ChangedFiles(folder, System.getenv()), stream(out), stream(errors))
                .run(List.of(arguments));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private void commit(String message) throws Exception {
        git("add", "-A");
        git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", message);
    }

    private void git(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
    }
}
