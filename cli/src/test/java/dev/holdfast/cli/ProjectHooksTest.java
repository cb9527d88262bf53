package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hooks of a project lie among its files, which may be a stranger's: what is there is not run, and not followed out. */
class ProjectHooksTest extends OnASample {
    Path outside;

    ProjectHooksTest(@TempDir Path data) {
        super(data);
    }

    @BeforeEach
    void a_project() throws Exception {
        make("shop");
        outside = Files.createDirectory(folder.resolve("outside"));
    }

    @Test
    void a_script_that_is_not_ours_is_not_run_by_a_check() throws Exception {
        assertThat(install().exitCode()).isZero();
        assertThat(check().exitCode()).isZero();
        Path script = sample.folder.resolve(".claude/holdfast-hook.sh");
        String ours = Files.readString(script);
        for (String theirs : List.of(
                "touch '" + outside + "/sprung'\n" + ours,
                ours.replace("\nexit 0", "\ntouch '" + outside + "/sprung'\nexit 0"),
                ours.replace("may_start=", "touch '" + outside + "/sprung'; may_start="),
                ours.replaceFirst("holdfast='", "holdfast='x'\"\\$(touch '" + outside + "/sprung')\"'"))) {
            assertThat(theirs).isNotEqualTo(ours);
            Files.writeString(script, theirs);
            Ran checked = check();
            assertThat(checked.exitCode()).as(checked.err()).isEqualTo(1);
            assertThat(checked.out()).contains("changed since it was installed");
            assertThat(outside).isEmptyDirectory();
        }
        assertThat(install().exitCode()).as("mends it").isZero();
        assertThat(script).hasContent(ours);
        assertThat(check().exitCode()).isZero();
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void a_link_in_the_place_of_the_script_is_replaced_and_not_followed() throws Exception {
        Path victim = Files.writeString(outside.resolve("profile"), "mine\n");
        Files.createDirectory(sample.folder.resolve(".claude"));
        for (String name :
                List.of("holdfast-hook.sh", "holdfast-hook.sh.holdfast-new", "settings.local.json.holdfast-new")) {
            Files.createSymbolicLink(sample.folder.resolve(".claude").resolve(name), victim);
        }
        assertThat(install().exitCode()).isZero();
        assertThat(victim).hasContent("mine\n");
        assertThat(sample.folder.resolve(".claude/holdfast-hook.sh"))
                .isRegularFile()
                .content()
                .contains("Holdfast's hook");
        assertThat(Files.isSymbolicLink(sample.folder.resolve(".claude/holdfast-hook.sh")))
                .isFalse();
    }

    @Test
    void settings_that_lead_out_of_the_project_are_refused() throws Exception {
        Path victim = Files.writeString(outside.resolve("settings.local.json"), "{}");
        Path claude = Files.createDirectory(sample.folder.resolve(".claude"));
        Path link = Files.createSymbolicLink(claude.resolve("settings.local.json"), victim);
        Ran refused = install();
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("points outside the project", victim.toString());

        Files.delete(link);
        Files.delete(claude);
        Files.createSymbolicLink(claude, outside);
        assertThat(install().err()).contains("points outside the project");
        assertThat(victim).hasContent("{}");
        assertThat(outside).isDirectoryNotContaining(file -> !file.equals(victim));
    }

    @Test
    void a_link_beside_a_hook_of_git_is_not_followed() throws Exception {
        Path victim = Files.writeString(outside.resolve("profile"), "mine\n");
        Files.setPosixFilePermissions(victim, PosixFilePermissions.fromString("rw-------"));
        sample.git("config", "core.hooksPath", ".husky");
        Files.createDirectory(sample.folder.resolve(".husky"));
        Files.createSymbolicLink(sample.folder.resolve(".husky/pre-commit.holdfast-new"), victim);
        assertThat(sample.holdfast("hooks", "install", "--git").exitCode()).isZero();
        assertThat(victim).hasContent("mine\n");
        assertThat(sample.folder.resolve(".husky/pre-commit"))
                .isExecutable()
                .content()
                .contains("Holdfast's gate");
    }

    private Ran install() throws Exception {
        return sample.holdfast("hooks", "install", "--claude", "--project");
    }

    private Ran check() throws Exception {
        return sample.holdfast("hooks", "check", "--claude", "--project");
    }
}
