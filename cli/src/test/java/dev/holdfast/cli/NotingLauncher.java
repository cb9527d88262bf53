package dev.holdfast.cli;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

/** A launcher that notes the processes of the brokers it starts in the background, so that the test can end them. */
record NotingLauncher(Path script, Path pids) implements AutoCloseable {
    static NotingLauncher in(Path folder) throws IOException {
        return in(folder, "shift\nexec " + Programs.inShell(Programs.broker()) + " \"$@\"\n");
    }

    /** @param then what it does next, as lines of sh */
    static NotingLauncher in(Path folder, String then) throws IOException {
        Path pids = folder.resolve("pids");
        String quoted = pids.toString().replace("'", "'\\''");
        Path script = Files.writeString(folder.resolve("holdfast"), "#!/bin/sh\necho $$ >>'" + quoted + "'\n" + then);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return new NotingLauncher(script, pids);
    }

    /** Commands of this process start brokers by it. */
    void use() {
        System.setProperty("holdfast.launcher", script.toString());
    }

    List<Long> started() throws IOException {
        return Files.exists(pids)
                ? Files.readAllLines(pids).stream().map(Long::valueOf).toList()
                : List.of();
    }

    void endBrokers() throws IOException {
        for (long pid : started()) {
            ProcessHandle.of(pid).ifPresent(broker -> {
                broker.destroy();
                await().atMost(Duration.ofSeconds(30)).until(() -> !broker.isAlive());
            });
        }
    }

    /** Ends its brokers, and is no longer used. */
    @Override
    public void close() throws IOException {
        System.clearProperty("holdfast.launcher");
        endBrokers();
    }
}
