package dev.holdfast.cli.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.git.Trap;
import dev.holdfast.git.TrappedRepository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * All that the gate, {@code review create} and {@code hooks} ask of a repository, in one with each trap. That plain git runs them is
 * shown where the traps are made, in {@code TrapTest}.
 */
class TrappedGateTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @ParameterizedTest
    @EnumSource
    void nothing_that_a_repository_configures_is_run(Trap trap) throws Exception {
        TrappedRepository stranger = TrappedRepository.in(folder.toRealPath(), trap);
        String side = Files.readString(stranger.folder().resolve(".git/refs/heads/side"))
                .strip();
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("GIT_CONFIG_NOSYSTEM", "1");

        Repository repository = Repository.of(stranger.folder(), environment);
        assertThat(repository.project()).isNotEmpty();
        Optional<String> _ = repository.user();
        assertThat(repository.hooks()).isAbsolute();
        assertThat(repository.sharesHooks()).isFalse();
        assertThat(repository.staged().diff()).contains("-four\n+4\n");
        Range range = repository.range("side..HEAD");
        assertThat(range.whole().diff()).contains("+7\n");
        assertThat(range.change(range.commits().getFirst()).name()).contains("main");
        String tip = repository.commit("HEAD");
        List<Range> pushed =
                Push.ranges(repository, "origin", "refs/heads/main " + tip + " refs/heads/main " + side + "\n");
        assertThat(pushed.getFirst().whole().diff()).contains("+7\n");
        try {
            assertThat(repository.range("HEAD").whole().diff()).contains("b/other.txt");
        } catch (RuntimeException missing) {
            assertThat(trap.name()).as(missing.getMessage()).startsWith("MISSING_OBJECT");
        }
        Files.writeString(stranger.folder().resolve(".git/MERGE_HEAD"), side + "\n");
        assertThat(repository.staged().diff())
                .as("what hands added to the merge")
                .contains("-1\n+one\n");
        assertThat(stranger.sprung()).isEmpty();
    }
}
