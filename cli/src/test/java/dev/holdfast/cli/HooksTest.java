package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gate as hooks of git, put in place and taken away. */
class HooksTest extends OnASample {
    HooksTest(@TempDir Path data) {
        super(data);
    }

    @BeforeEach
    void repository() throws Exception {
        make("hooked");
    }

    @Test
    void installed_three_times_and_removed_everything_is_as_before() throws Exception {
        Path hooks = sample.folder.resolve(".git/hooks");
        script(hooks.resolve("pre-commit"), "#!/bin/sh\necho former >&2\nexit 0");
        sample.write("scripts/check", "#!/bin/sh\n");
        Files.createSymbolicLink(hooks.resolve("pre-push"), Path.of("../../scripts/check"));
        Map<String, String> before = contents(hooks);

        for (int i = 0; i < 3; i++) {
            assertThat(sample.holdfast("hooks", "install", "--git").exitCode()).isZero();
        }
        assertThat(contents(hooks)).isNotEqualTo(before).hasSize(before.size() + 2);
        assertThat(sample.holdfast("hooks", "check", "--git").exitCode()).isZero();

        assertThat(sample.holdfast("hooks", "uninstall", "--git").exitCode()).isZero();
        assertThat(contents(hooks)).isEqualTo(before);
        assertThat(sample.holdfast("hooks", "uninstall", "--git").out()).contains("not installed");
        assertThat(sample.holdfast("hooks", "check", "--git").exitCode()).isEqualTo(4);
    }

    @Test
    void hooks_that_ask_another_broker_are_not_in_order() throws Exception {
        assertThat(sample.holdfast("hooks", "install", "--git", "--url", "http://127.0.0.1:9")
                        .exitCode())
                .isZero();
        Ran checked = sample.holdfast("hooks", "check", "--git");
        assertThat(checked.exitCode()).isEqualTo(1);
        assertThat(checked.out()).contains("these hooks ask http://127.0.0.1:9, not " + broker.url());
        assertThat(sample.holdfast("hooks", "install", "--git", "--url", broker.url() + "/")
                        .exitCode())
                .isZero();
        assertThat(sample.holdfast("hooks", "check", "--git").exitCode()).isZero();
    }

    @Test
    void the_former_hook_is_asked_first_and_its_no_is_passed_on() throws Exception {
        Path hooks = sample.folder.resolve(".git/hooks");
        script(hooks.resolve("pre-commit"), "#!/bin/sh\necho formatted > README\ngit add README\n[ ! -e forbidden ]\n");
        sample.holdfast("hooks", "install", "--git", "--pre-commit");
        sample.write("README", "formatted\n");
        sample.git("add", ".");
        sample.approve(sample.propose());
        sample.write("README", "  formatted\n");
        sample.git("add", ".");
        sample.git("commit", "-q", "-m", "what the former hook made of it is approved");

        Path forbidden = sample.write("forbidden", "");
        sample.write("README", "x\n");
        sample.git("add", "README");
        Ran refused = sample.tryGit("commit", "-m", "no");
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.err()).doesNotContain("holdfast");
        Files.delete(forbidden);
    }

    @Test
    void what_was_changed_by_somebody_is_left_alone() throws Exception {
        sample.holdfast("hooks", "install", "--git");
        Path hook = sample.folder.resolve(".git/hooks/pre-commit");
        Files.writeString(hook, Files.readString(hook) + "echo mine\n");
        String mine = Files.readString(hook);
        assertThat(sample.holdfast("hooks", "check", "--git").exitCode()).isEqualTo(1);
        Ran uninstalled = sample.holdfast("hooks", "uninstall", "--git");
        assertThat(uninstalled.exitCode()).isEqualTo(1);
        assertThat(uninstalled.err()).contains("it was edited");
        assertThat(sample.holdfast("hooks", "install", "--git").exitCode()).isEqualTo(1);
        assertThat(Files.readString(hook)).isEqualTo(mine);
    }

    @Test
    void hooks_go_where_git_looks_for_them() throws Exception {
        sample.git("config", "core.hooksPath", "my hooks");
        sample.holdfast("hooks", "install", "--git", "--pre-commit");
        assertThat(sample.folder.resolve("my hooks/pre-commit")).exists();
        sample.write("README", "x\n");
        sample.git("add", "README");
        assertThat(sample.tryGit("commit", "-m", "x").err()).contains("not approved");

        sample.git("config", "--unset", "core.hooksPath");
        Path tree = folder.resolve("worktree " + repositories);
        sample.git("worktree", "add", "-q", tree.toString(), "-b", "feature");
        SampleRepository feature = sample.at(tree);
        feature.holdfast("hooks", "install", "--git", "--pre-commit");
        assertThat(sample.folder.resolve(".git/hooks/pre-commit")).exists();
        feature.write("README", "y\n");
        feature.git("add", "README");
        assertThat(feature.tryGit("commit", "-m", "y").err()).contains("not approved");
    }

    @Test
    void a_bare_repository_is_named_by_its_own_folder() throws Exception {
        Path bare = folder.resolve("bare " + repositories + ".git");
        sample.git("init", "-q", "--bare", bare.toString());
        for (String[] words : new String[][] {{"hooks", "install", "--git"}, {"init", "--yes"}, {"gate"}}) {
            Ran ran = sample.at(bare.resolve("hooks")).holdfast(words);
            assertThat(ran.exitCode()).isEqualTo(2);
            assertThat(ran.err()).contains(bare + " is a bare repository", "GIT_DIR=" + bare + "\n");
        }
    }

    @Test
    void hooks_that_all_repositories_share_are_left_alone() throws Exception {
        Path shared = Files.createDirectories(folder.resolve("shared"));
        sample.git("config", "--global", "core.hooksPath", shared.toString());
        Ran ran = sample.holdfast("hooks", "install", "--git");
        sample.git("config", "--global", "--unset", "core.hooksPath");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("core.hooksPath");
        assertThat(contents(shared)).isEmpty();
    }

    @Test
    void a_commit_of_everything_or_of_named_files_is_checked_as_it_will_be() throws Exception {
        sample.holdfast("hooks", "install", "--git", "--pre-commit");
        sample.write("README", "x\n");
        Ran all = sample.tryGit("commit", "-a", "-m", "all");
        assertThat(all.exitCode()).isNotZero();
        assertThat(all.err()).contains("Stage exactly that first");
        sample.git("add", "README");
        sample.approve(sample.propose());
        sample.write("other", "y\n");
        sample.git("add", "other");
        assertThat(sample.tryGit("commit", "-m", "both").exitCode()).isNotZero();
        sample.git("commit", "-q", "-m", "only the approved file", "README");
    }

    @Test
    void a_push_brings_only_what_was_approved() throws Exception {
        Path remote = folder.resolve("remote " + repositories + ".git");
        sample.git("init", "-q", "--bare", remote.toString());
        sample.git("remote", "add", "origin", remote.toString());
        sample.holdfast("hooks", "install", "--git", "--pre-push");

        Ran first = sample.tryGit("push", "origin", "main");
        assertThat(first.exitCode()).isNotZero();
        assertThat(first.err()).contains("the push of refs/heads/main");
        sample.approve(sample.propose("--range", "main"));
        sample.git("push", "-q", "origin", "main");
        sample.git("remote", "set-head", "origin", "main");

        commit("README", "x\n");
        assertThat(sample.tryGit("push", "origin", "main").exitCode()).isNotZero();
        sample.git("branch", "feature");
        assertThat(sample.tryGit("push", "origin", "feature").exitCode()).isNotZero();
        sample.approve(sample.propose("--range", "origin/main..main"));
        sample.git("push", "-q", "origin", "main");
        sample.git("push", "-q", "origin", "feature");
        sample.git("tag", "-a", "v1", "-m", "v1");
        sample.git("push", "-q", "origin", "v1");
        sample.git("push", "-q", "origin", "--delete", "feature");
        sample.git("push", "-q", "origin", "main");

        sample.git("commit", "-q", "--amend", "-m", "other words, same content");
        sample.git("push", "-q", "--force", "origin", "main");
        sample.write("README", "y\n");
        sample.git("commit", "-q", "-a", "--amend", "-m", "other content");
        assertThat(sample.tryGit("push", "--force", "origin", "main").exitCode())
                .isNotZero();
    }

    @Test
    void a_former_pre_push_hook_reads_the_same_refs() throws Exception {
        Path remote = folder.resolve("remote " + repositories + ".git");
        sample.git("init", "-q", "--bare", remote.toString());
        script(sample.folder.resolve(".git/hooks/pre-push"), "#!/bin/sh\ncat > refs; echo \"$1 $2\" >> refs\n");
        sample.holdfast("hooks", "install", "--git", "--pre-push");
        sample.approve(sample.propose("--range", "main"));
        sample.git("push", "-q", remote.toString(), "main");
        assertThat(Files.readString(sample.folder.resolve("refs")).lines().toList())
                .containsExactly(
                        "refs/heads/main " + sample.git("rev-parse", "main") + " refs/heads/main " + "0".repeat(40),
                        remote + " " + remote);
    }

    @Test
    void a_hook_whose_program_is_gone_stops_unless_the_repository_is_open() throws Exception {
        sample.holdfast("hooks", "install", "--git", "--pre-commit");
        Path hook = sample.folder.resolve(".git/hooks/pre-commit");
        String today = Files.readString(hook);
        Files.writeString(
                hook,
                today.replace(
                        "holdfast was not found, so the gate cannot ask the broker",
                        "holdfast: the program is gone, so the gate cannot ask whether this is approved"));
        assertThat(sample.holdfast("hooks", "install", "--git", "--pre-commit").out())
                .contains("installed ");
        assertThat(hook).hasContent(today);
        Files.delete(folder.resolve("bin/holdfast"));
        sample.write("README", "x\n");
        sample.git("add", "README");
        Ran stopped = sample.tryGit("commit", "-m", "x");
        assertThat(stopped.exitCode()).isNotZero();
        assertThat(stopped.err()).contains("holdfast was not found, so the gate cannot ask the broker");
        sample.git("config", "holdfast.gate.unreachable", "open");
        sample.git("commit", "-q", "-m", "x");
    }

    private void commit(String file, String text) throws Exception {
        sample.write(file, text);
        sample.git("add", ".");
        sample.git("commit", "-q", "-m", "change " + file);
    }

    private static void script(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
    }

    /** Each file's mode, where it leads, and bytes. */
    private static Map<String, String> contents(Path folder) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                String content = Files.isSymbolicLink(file)
                        ? "link to " + Files.readSymbolicLink(file)
                        : Files.getPosixFilePermissions(file) + Files.readString(file);
                contents.put(file.getFileName().toString(), content);
            }
        }
        return contents;
    }
}
