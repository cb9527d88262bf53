package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/first-commit.sh}: from nothing to a first reviewed commit, by the commands that a newcomer types. */
@Timeout(300)
class FirstCommitTest {
    @Test
    void from_nothing_to_a_first_reviewed_commit(@TempDir Path folder) throws Exception {
        Path bin = Installed.in(folder.resolve("bin")).getParent();
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        Path script = Path.of("..", "docs", "first-commit.sh").toRealPath();
        ProcessBuilder builder = new ProcessBuilder("sh", script.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().put("PATH", bin + ":" + System.getenv("PATH"));
        builder.environment().put("TMPDIR", temporary.toString());
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        long start = System.nanoTime();
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        System.out.printf("from nothing to a reviewed commit: %d s%n", (System.nanoTime() - start) / 1_000_000_000);

        assertThat(process.exitValue()).as(output).isZero();
        assertThat(output)
                .containsSubsequence(
                        "install the gate",
                        "not approved, in project shop",
                        "proposed as review ",
                        "wait for its verdict: holdfast review wait ",
                        "approved by rules-r1-",
                        "approved: the staged change, by rules-r1-",
                        "closed",
                        " Add the mean\n");
        assertThat(temporary).isEmptyDirectory();
    }
}
