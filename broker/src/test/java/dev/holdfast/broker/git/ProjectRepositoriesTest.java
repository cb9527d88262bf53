package dev.holdfast.broker.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.review.record.DiffCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProjectRepositoriesTest {
    @TempDir
    Path folder;

    private Path workspace;

    @BeforeEach
    void a_workspace_with_two_projects() throws IOException {
        workspace = Files.createDirectory(folder.resolve("workspace"));
        Files.createDirectory(workspace.resolve("My-App"));
        Files.createDirectory(workspace.resolve("other"));
        Files.createDirectory(folder.resolve("secret"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "My-App                  | myapp",
                "  my_app 2              | myapp2",
                "/home/me/src/My-App     | myapp",
                "/home/me/src/My-App///  | myapp",
                "C:\\work\\My-App        | myapp",
                "C:/work/My-App/         | myapp",
                "~/src/My-App            | myapp",
                "org/repo                | orgrepo",
                "../secret               | secret",
                "/                       | ''",
                "' '                     | ''",
                "Café                    | café",
            })
    void a_project_has_one_name_however_it_is_written(String project, String key) {
        assertThat(ProjectRepositories.key(project)).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"my-app", "MyApp", "/somewhere/else/my_app", "My-App"})
    void a_project_is_the_folder_of_that_name_in_the_workspace(String project) {
        assertThat(repositories().folder(project)).isEqualTo(workspace.resolve("My-App"));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "..",
                "../secret",
                "secret",
                "/etc",
                "/",
                "unknown",
                "link",
                ".hidden",
                "hidden",
                "loop",
                "file"
            })
    void anything_else_is_the_workspace(String project) throws IOException {
        Files.createSymbolicLink(workspace.resolve("link"), folder.resolve("secret"));
        Files.createSymbolicLink(workspace.resolve("secret"), Path.of("../secret"));
        Files.createSymbolicLink(workspace.resolve("etc"), Path.of("/etc"));
        Files.createSymbolicLink(workspace.resolve("loop"), workspace);
        Files.createDirectory(workspace.resolve(".hidden"));
        Files.createFile(workspace.resolve("file"));
        assertThat(repositories().folder(project)).isEqualTo(workspace);
    }

    @Test
    void a_link_inside_the_workspace_is_followed() throws IOException {
        Files.createSymbolicLink(workspace.resolve("alias"), Path.of("other"));
        assertThat(repositories().folder("alias")).isEqualTo(workspace.resolve("alias"));
    }

    @Test
    void of_folders_with_the_same_key_the_first_by_name_is_taken() throws IOException {
        Files.createDirectory(workspace.resolve("my_app"));
        assertThat(repositories().folder("my_app")).isEqualTo(workspace.resolve("My-App"));
    }

    @Test
    void the_configuration_comes_first_and_may_lead_anywhere() {
        Path elsewhere = folder.resolve("elsewhere");
        ProjectRepositories repositories =
                new ProjectRepositories(workspace, Map.of("my app", elsewhere, "sub", Path.of("other/sub")));
        assertThat(repositories.folder("MyApp")).isEqualTo(elsewhere);
        assertThat(repositories.folder("sub")).isEqualTo(workspace.resolve("other/sub"));
        assertThat(repositories.folder("other")).isEqualTo(workspace.resolve("other"));
    }

    @Test
    void two_configured_names_of_one_project_are_refused() {
        Map<String, Path> twice = Map.of("my-app", folder, "MyApp", workspace);
        assertThatThrownBy(() -> new ProjectRepositories(workspace, twice)).hasMessageContaining("myapp");
    }

    @Test
    void a_missing_workspace_is_still_the_answer() {
        Path missing = folder.resolve("missing");
        assertThat(new ProjectRepositories(missing, Map.of()).folder("x")).isEqualTo(missing);
    }

    @Test
    void without_a_workspace_a_diff_is_checked_only_where_the_configuration_leads() {
        Path configured = folder.resolve("missing");
        ProjectRepositories repositories = new ProjectRepositories(null, Map.of("shop", configured));
        assertThat(repositories.folder("shop")).isEqualTo(configured);
        assertThat(repositories.folder("x")).isNull();
        assertThat(repositories.folder(null)).isNull();

        ProjectFiles files = new ProjectFiles(repositories, new GitApply(System.getenv(), GitApply.TIMEOUT, 1), false);
        String diff = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n";
        assertThat(files.check(asked("x", diff))).isInstanceOf(DiffCheck.Unknown.class);
        assertThat(files.check(asked("x", diff.replace("-a", "")))).isInstanceOf(DiffCheck.Conflicts.class);
        assertThat(files.check(asked("shop", diff))).isInstanceOf(DiffCheck.Unknown.class);
    }

    @Test
    void where_clients_have_been_counts_more_than_the_workspace_which_is_for_no_project_but_its_own()
            throws IOException {
        Path seen = Files.createDirectory(folder.resolve("seen"));
        ProjectRepositories repositories = new ProjectRepositories(
                workspace,
                Map.of(),
                key -> key.equals("other") ? List.of(folder.resolve("gone"), seen) : List.of(),
                false);
        assertThat(repositories.folders("Other")).containsExactly(seen);
        assertThat(repositories.folders("my app")).containsExactly(workspace.resolve("My-App"));
        assertThat(repositories.folders("nobody knows it")).isEmpty();
        assertThat(repositories.folders(workspace.getFileName().toString())).containsExactly(workspace);
        assertThat(repositories.folders(null)).containsExactly(workspace);
    }

    private static DiffCheck.Request asked(String project, String diff) {
        return new DiffCheck.Request(project, null, diff);
    }

    private ProjectRepositories repositories() {
        return new ProjectRepositories(workspace, Map.of());
    }
}
