package dev.holdfast.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Hooks look at git's own files in the folder of a session, whoever made that folder: none of these holds up the broker. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StrangersFolderTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void a_pipe_in_the_place_of_a_file_is_not_waited_for() throws Exception {
        Path git = Files.createDirectory(folder.resolve(".git"));
        pipe(git.resolve("HEAD"));
        pipe(git.resolve("config"));
        WorkingTree tree = WorkingTree.of(folder.toString()).orElseThrow();
        assertThat(tree.branch()).isNull();
        assertThat(tree.name()).isEqualTo(folder.getFileName().toString());

        Path linked = Files.createDirectory(folder.resolve("linked"));
        Files.writeString(linked.resolve(".git"), "gitdir: planted\n");
        pipe(Files.createDirectory(linked.resolve("planted")).resolve("commondir"));
        assertThat(WorkingTree.of(linked.toString()).orElseThrow().name()).isEqualTo("linked");

        Path piped = Files.createDirectory(folder.resolve("piped"));
        pipe(piped.resolve(".git"));
        assertThat(WorkingTree.of(piped.toString()).orElseThrow().root()).isEqualTo(folder);
    }

    @Test
    void a_device_or_a_huge_file_is_not_read() throws Exception {
        Path git = Files.createDirectory(folder.resolve(".git"));
        Files.createSymbolicLink(git.resolve("HEAD"), Path.of("/dev/zero"));
        try (RandomAccessFile huge = new RandomAccessFile(git.resolve("config").toFile(), "rw")) {
            huge.setLength(20L << 30); // without taking any room
        }
        WorkingTree tree = WorkingTree.of(folder.toString()).orElseThrow();
        assertThat(tree.branch()).isNull();

        Path linked = Files.createDirectory(folder.resolve("linked"));
        Files.createSymbolicLink(linked.resolve(".git"), git.resolve("config"));
        assertThat(WorkingTree.of(linked.toString())).isEmpty();
    }

    @Test
    void a_name_in_another_encoding_does_not_hide_the_rest() throws Exception {
        Path git = Files.createDirectory(folder.resolve(".git"));
        Files.writeString(
                git.resolve("config"),
                "[user]\n\tname = J\u00f6rg\n[holdfast]\n\tproject = shop\n",
                StandardCharsets.ISO_8859_1);
        assertThat(WorkingTree.of(folder.toString()).orElseThrow().name()).isEqualTo("shop");
    }

    private static void pipe(Path path) throws Exception {
        Process process = new ProcessBuilder("mkfifo", path.toString()).start();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }
}
