package dev.holdfast.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing that a repository, its environment or its owner's settings name is run, and each of these traps works with plain git. */
class TrapTest {
    private static final GitTimeout PATIENCE = GitTimeout.each(Duration.ofSeconds(60));

    @TempDir
    Path temporary;

    private Path folder;

    @BeforeEach
    void without_links() throws Exception {
        folder = temporary.toRealPath();
    }

    @ParameterizedTest
    @EnumSource
    void plain_git_runs_it_and_ours_does_not(Trap trap) throws Exception {
        assumeTrue(!trap.springs().startsWith("script ") || Files.isExecutable(Path.of("/usr/bin/script")));
        TrappedRepository plain = TrappedRepository.in(folder.resolve("plain"), trap);
        plain.spring(trap);
        assertThat(plain.sprung()).as("with plain git").containsExactly(trap.name());

        TrappedRepository ours = TrappedRepository.in(folder.resolve("ours"), trap);
        askEverything(ours, environment());
        assertThat(ours.sprung()).as("with ours").isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '"',
            value = {
                "GIT_EXTERNAL_DIFF ! RUN; cat ! git diff --cached",
                "GIT_CONFIG_COUNT ! 1 ! git diff --cached",
                "GIT_CONFIG_PARAMETERS ! 'diff.external'='RUN; cat' ! git diff --cached",
                "GIT_TRACE ! MARK ! git diff --cached",
                "GIT_TRACE2_EVENT ! MARK ! git diff --cached",
                "GIT_CONFIG_GLOBAL ! HOSTILE ! git diff --cached",
                "GIT_CONFIG_SYSTEM ! HOSTILE ! env -u GIT_CONFIG_NOSYSTEM git diff --cached",
                "XDG_CONFIG_HOME ! HOSTILE.d ! env -u GIT_CONFIG_GLOBAL git diff --cached",
                "GIT_EDITOR ! RUN; false ; ! git commit --amend",
                "GIT_ASKPASS ! PROGRAM ! echo url=https://x | git credential fill",
                "GIT_DIR ! OTHER ! git diff --cached",
            })
    void what_the_environment_names_is_not_run(String variable, String value, String springs) throws Exception {
        TrappedRepository repository = TrappedRepository.in(folder);
        Path mark = repository.mark("environment");
        String run = "touch " + mark;
        Path hostile = folder.resolve("hostile");
        Files.writeString(hostile, "[diff]\n\texternal = \"" + run + "; cat\"\n");
        Path program = executable(folder.resolve("program"), run);
        Files.copy(
                hostile,
                Files.createDirectories(folder.resolve("hostile.d/git")).resolve("config"));
        TrappedRepository other = TrappedRepository.in(folder.resolve("other"));
        other.config("diff.external", run + "; cat");

        Map<String, String> environment = environment();
        environment.put(
                variable,
                value.replace("RUN", run)
                        .replace("MARK", mark.toString())
                        .replace("HOSTILE", hostile.toString())
                        .replace("PROGRAM", program.toString())
                        .replace("OTHER", other.folder().resolve(".git").toString()));
        environment.put("GIT_CONFIG_KEY_0", "diff.external");
        environment.put("GIT_CONFIG_VALUE_0", run + "; cat");
        repository.spring(springs, environment);
        assertThat(Files.deleteIfExists(mark)).as("with plain git").isTrue();

        askEverything(repository, environment);
        assertThat(mark).doesNotExist();
    }

    @Test
    void a_git_in_the_folder_is_not_taken_for_git_even_if_the_path_leads_there() throws Exception {
        TrappedRepository repository = TrappedRepository.in(folder);
        Path mark = repository.mark("git");
        executable(repository.folder().resolve("git"), "touch " + mark);
        executable(Files.createDirectory(repository.folder().resolve("bin")).resolve("git"), "touch " + mark);
        Map<String, String> environment = environment();
        for (String hostile : List.of(".", "", "bin", "./bin", "../stranger")) {
            environment.put("PATH", hostile + ":" + System.getenv("PATH"));
            repository.spring("git --version", environment);
            assertThat(Files.deleteIfExists(mark))
                    .as("plain, PATH=%s:...", hostile)
                    .isTrue();
            askEverything(repository, environment);
            assertThat(mark).as("ours, PATH=%s:...", hostile).doesNotExist();
        }
    }

    @Test
    void only_commands_that_run_nothing_are_run_in_a_repository() throws Exception {
        LocalRepository repository =
                Git.alone(environment()).find(TrappedRepository.in(folder).folder(), PATIENCE);
        for (String command : List.of("diff", "status", "apply", "add", "log", "hash-object", "merge-tree", "-c")) {
            assertThatThrownBy(() -> repository.run(List.of(command)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not run in repositories");
        }
    }

    /** Every way in which broker, gate and rules ask; all must work where nothing is missing. */
    private static void askEverything(TrappedRepository repository, Map<String, String> environment) throws Exception {
        for (String place : List.of("", "vendor", "docs")) {
            Path where = repository.folder().resolve(place);
            if (Files.isDirectory(where)) {
                ask(Git.alone(environment), where);
                ask(Git.inHook(environment), where);
            }
        }
    }

    private static void ask(Git git, Path where) {
        try {
            LocalRepository found = git.find(where, PATIENCE);
            Optional<Path> _ = found.top();
            Optional<String> _ = found.find("config", "--get", "holdfast.project");
            String head = found.head().orElseThrow();
            String side = found.commit("side").orElseThrow();
            GitResult _ = found.run(List.of("rev-list", "--parents", "--boundary", head, "^" + side));
            GitResult _ = found.run(List.of("merge-base", head, side));
            try (ObjectStore objects = found.objects()) {
                askAboutContent(objects, head, side);
            }
        } catch (GitFailure refused) {
            assertThat(where.getFileName().toString()).as(refused.text()).isEqualTo("docs");
            assertThat(refused.kind()).isEqualTo(GitFailure.Kind.UNTRUSTED);
        }
    }

    private static void askAboutContent(ObjectStore objects, String head, String side) {
        ExactDiff diff = new ExactDiff(objects);
        assertThat(diff.staged(head))
                .contains("-four\n+4\n", "Subproject commit")
                .doesNotContain("FIVE");
        assertThat(diff.between(side, head)).contains("-1\n+one\n").contains("-seven\n+7\n");
        objects.checkOutAttributes(head);
        String merged =
                objects.ask(List.of("merge-tree", "--write-tree", head, side)).text();
        assertThat(diff.between(head, merged)).contains("-one\n+1\n").doesNotContain("-seven");
        objects.readTree(head);
        List<String> apply = List.of("apply", "--cached", "--check", "-");
        assertThat(objects.run(apply, TrappedRepository.DIFF).errors()).isEmpty();
        assertThat(objects.runOnIndex(apply, TrappedRepository.DIFF.replace(" four", " 4"))
                        .errors())
                .isEmpty();
        assertThat(objects.file(head, TrappedRepository.FILE, 1000)).isPresent();
        Optional<byte[]> _ = objects.file(head, "other.txt", 1000);
        assertThat(objects.ask(List.of("log", "-1", "--no-show-signature", "--format=%s", head))
                        .text())
                .isEqualTo("main");
    }

    private Map<String, String> environment() throws Exception {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.keySet().removeIf(name -> name.startsWith("GIT_"));
        environment.put("GIT_CONFIG_NOSYSTEM", "1");
        environment.put("HOME", Files.createDirectories(folder.resolve("home")).toString());
        return environment;
    }

    private static Path executable(Path file, String command) throws Exception {
        Files.writeString(file, "#!/bin/sh\n" + command + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
