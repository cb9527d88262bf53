package dev.holdfast.cli.session;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The machine on which this command runs, as the broker and the hooks identify machines. */
final class ThisMachine {
    private ThisMachine() {}

    /** As {@code uname -n} prints it. */
    static @Nullable String name() {
        Path kernels = Path.of("/proc/sys/kernel/hostname");
        try {
            return Files.isReadable(kernels)
                    ? Files.readString(kernels).strip()
                    : InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return null;
        }
    }

    /** The boot and the pid namespace; null where the system does not say. */
    static @Nullable String space() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip() + "/"
                    + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
        } catch (IOException | UnsupportedOperationException e) {
            return null;
        }
    }
}
