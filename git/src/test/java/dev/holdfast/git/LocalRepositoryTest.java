package dev.holdfast.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LocalRepositoryTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path temporary;

    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void environment() throws Exception {
        folder = temporary.toRealPath();
        environment.put("PATH", System.getenv("PATH"));
        environment.put("GIT_CONFIG_NOSYSTEM", "1");
        environment.put("HOME", Files.createDirectory(folder.resolve("home")).toString());
    }

    @Test
    void a_repository_of_somebody_else_is_refused_until_the_user_says_that_it_is_safe() throws Exception {
        TrappedRepository repository = TrappedRepository.in(folder);
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Path git = Files.writeString(bin.resolve("git"), """
                #!/bin/sh
                PATH=%s
                GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec git "$@"
                """.formatted(System.getenv("PATH")));
        Files.setPosixFilePermissions(git, PosixFilePermissions.fromString("rwxr-xr-x"));
        environment.put("PATH", bin.toString());

        refused(repository.folder(), GitFailure.Kind.UNTRUSTED)
                .hasMessageContaining("belongs to another user")
                .hasMessageContaining("git config --global --add safe.directory '" + repository.folder() + "'");

        Files.writeString(folder.resolve("home/.gitconfig"), "[safe]\n\tdirectory = " + repository.folder() + "\n");
        assertThat(find(repository.folder()).head()).isPresent();
    }

    @Test
    void a_bare_repository_is_found_only_if_it_is_named() throws Exception {
        TrappedRepository repository = TrappedRepository.in(folder);
        Path bare = folder.resolve("depot.git");
        repository.git("-c", "protocol.file.allow=always", "clone", "-q", "--bare", ".", bare.toString());
        refused(bare, GitFailure.Kind.UNTRUSTED).hasMessageContaining("GIT_DIR=" + bare);
        environment.put("GIT_DIR", bare.toString());
        LocalRepository found = Git.inHook(environment).find(bare, patience());
        assertThat(found.head()).contains(repository.git("rev-parse", "HEAD"));
        assertThat(found.top()).isEmpty();
    }

    @Test
    void no_repository_and_no_folder_are_told_apart_from_a_refusal() {
        refused(folder, GitFailure.Kind.NO_REPOSITORY).hasMessageContaining("is not in a git repository");
        refused(folder.resolve("none"), GitFailure.Kind.NO_REPOSITORY).hasMessageContaining("does not exist");
        environment.put("PATH", ".");
        refused(folder, GitFailure.Kind.NO_GIT).hasMessageContaining("git was not found on the PATH");
    }

    @Test
    void a_working_tree_elsewhere_is_not_the_folders() throws Exception {
        TrappedRepository repository = TrappedRepository.in(folder, Trap.FILTER_IN_A_WORKING_TREE_ELSEWHERE);
        assertThat(find(repository.folder()).top()).isEmpty();
    }

    @Test
    void settings_that_never_end_are_not_waited_for() throws Exception {
        TrappedRepository repository = TrappedRepository.in(folder);
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Files.writeString(
                repository.folder().resolve(".git/config"),
                "[core]\n\trepositoryformatversion = 0\n[include]\n\tpath = " + pipe);
        assertThatThrownBy(
                        () -> Git.alone(environment).find(repository.folder(), GitTimeout.inAll(Duration.ofSeconds(1))))
                .isInstanceOfSatisfying(
                        GitFailure.class, failure -> assertThat(failure.kind()).isEqualTo(GitFailure.Kind.TIMED_OUT))
                .hasMessage("git did not answer within 1 s and was killed");
    }

    @Test
    void what_git_tells_its_hooks_counts_only_where_hooks_are_meant() throws Exception {
        TrappedRepository repository = TrappedRepository.in(folder);
        TrappedRepository other = TrappedRepository.in(folder.resolve("other"));
        environment.put("GIT_DIR", other.folder().resolve(".git").toString());
        environment.put("GIT_INDEX_FILE", folder.resolve("index").toString());
        assertThat(find(repository.folder()).gitFolder())
                .isEqualTo(repository.folder().resolve(".git"));
        LocalRepository found = Git.inHook(environment).find(repository.folder(), patience());
        assertThat(found.gitFolder()).isEqualTo(other.folder().resolve(".git"));
        assertThat(found.index()).isEqualTo(folder.resolve("index"));
    }

    private LocalRepository find(Path where) {
        return Git.alone(environment).find(where, patience());
    }

    private static GitTimeout patience() {
        return GitTimeout.each(Duration.ofSeconds(60));
    }

    private AbstractThrowableAssert<?, ?> refused(Path where, GitFailure.Kind kind) {
        return assertThatThrownBy(() -> find(where))
                .isInstanceOfSatisfying(
                        GitFailure.class,
                        failure -> assertThat(failure.kind()).as(failure.text()).isEqualTo(kind));
    }
}
