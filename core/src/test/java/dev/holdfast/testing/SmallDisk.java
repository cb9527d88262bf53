package dev.holdfast.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A separate in-memory file system that can fill up. Only root can mount one, and not everywhere. */
public final class SmallDisk implements AutoCloseable {
    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Mounts one at this folder, which is created; empty if that is not allowed. */
    public static Optional<SmallDisk> at(Path folder, int megabytes) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        int exit = run("mount", "-t", "tmpfs", "-o", "mode=0700,size=" + megabytes + "m", "tmpfs", folder.toString());
        return exit == 0 ? Optional.of(new SmallDisk(folder)) : Optional.empty();
    }

    /** Fills it up, so that nothing more can be written. */
    public void fill() throws IOException, InterruptedException {
        long left = Files.getFileStore(folder).getUsableSpace();
        run(
                "fallocate",
                "-l",
                Long.toString(Math.max(1, left - (16 << 20))),
                ballast("max").toString());
        run(
                "dd",
                "if=/dev/zero",
                "of=" + ballast("rest"),
                "bs=64k"); // until it fails, even if others use some space meanwhile
    }

    public void makeRoom() throws IOException {
        Files.deleteIfExists(ballast("max"));
        Files.deleteIfExists(ballast("rest"));
    }

    private Path ballast(String part) {
        return folder.resolve("ballast-" + part);
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    @Override
    public void close() throws IOException {
        try {
            run("umount", "-l", folder.toString());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
