package dev.holdfast.broker.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.git.Trap;
import dev.holdfast.git.TrappedRepository;
import dev.holdfast.review.diff.Diff;
import dev.holdfast.review.diff.FileChange;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaseFilesTest {
    @TempDir
    static Path folder;

    private static TrappedRepository stranger;
    private static String base;

    /** Which commands run, and that no trap is sprung by them, is shown in {@code GitApplyTest}; these are what reading could spring. */
    @BeforeAll
    static void plant() throws Exception {
        stranger =
                TrappedRepository.in(folder.toRealPath(), Trap.CLEAN_FILTER, Trap.PROCESS_FILTER, Trap.SMUDGE_FILTER);
        Process asked = new ProcessBuilder(
                        "git", "--git-dir=" + stranger.folder().resolve(".git"), "rev-parse", "side~1")
                .start();
        base = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    private static FileChange change(String diff) {
        return ((Diff) Diff.parse(diff)).files().getFirst();
    }

    private static BaseFiles.Found before(@Nullable String project, @Nullable String commit, String diff) {
        return new BaseFiles(new ProjectRepositories(null, Map.of("stranger", stranger.folder())), System.getenv())
                .before(project, commit, change(diff));
    }

    private static void assertUnknown(BaseFiles.Found found, String why) {
        assertThat(found)
                .isInstanceOfSatisfying(
                        BaseFiles.Unknown.class,
                        unknown -> assertThat(unknown.reason()).contains(why));
    }

    @Test
    void a_file_is_read_from_the_commit_and_nothing_that_the_repository_configures_is_run() throws Exception {
        assertThat(before("stranger", base, TrappedRepository.DIFF))
                .isEqualTo(new BaseFiles.Lines(List.of("one", "two", "three", "four", "five", "six", "seven")));
        assertThat(stranger.sprung()).isEmpty();
    }

    @Test
    void what_is_not_known_is_said() {
        assertUnknown(before("stranger", null, TrappedRepository.DIFF), "does not name the commit");
        assertUnknown(before("stranger", "--output=x", TrappedRepository.DIFF), "does not name the commit");
        assertUnknown(before("another", base, TrappedRepository.DIFF), "no folder of its project is known");
        assertUnknown(before("stranger", "0123456789abcdef", TrappedRepository.DIFF), "is not in");
        assertUnknown(before("stranger", base, TrappedRepository.DIFF.replace("trap.txt", "none.txt")), "has no file");
    }

    @Test
    void a_path_that_leads_out_is_no_file() {
        assertUnknown(before("stranger", base, TrappedRepository.DIFF.replace("trap.txt", "../trap.txt")), "no such");
        assertUnknown(before("stranger", base, TrappedRepository.DIFF.replace("trap.txt", ".git/config")), "no such");
    }

    /** Else whoever knows a commit could have every file of it shown. */
    @Test
    void a_diff_that_only_adds_and_shows_none_of_the_files_lines_is_shown_none_either() {
        String added = """
                diff --git a/trap.txt b/trap.txt
                --- a/trap.txt
                +++ b/trap.txt
                @@ -2,0 +3 @@
                +new
                """;
        assertUnknown(before("stranger", base, added), "no context lines");
    }

    /** Else its context would be that of another text. */
    @Test
    void a_diff_that_was_made_from_something_else_than_the_commit_it_names_has_no_context_there() {
        assertUnknown(before("stranger", base, TrappedRepository.DIFF.replace("three", "drei")), "was not made from");
        assertUnknown(before("stranger", base, TrappedRepository.DIFF.replace("-1,4", "-7,4")), "was not made from");
    }
}
