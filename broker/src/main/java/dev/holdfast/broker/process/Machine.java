package dev.holdfast.broker.process;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where this broker runs. */
public final class Machine {
    private Machine() {}

    /** As {@code uname -n} tells it. */
    public static String name() {
        try {
            Path kernels = Path.of("/proc/sys/kernel/hostname");
            return Files.isReadable(kernels)
                    ? Files.readString(kernels).strip()
                    : InetAddress.getLocalHost().getHostName();
        } catch (IOException _) {
            return "localhost";
        }
    }

    /** The space of process numbers that this process lives in. */
    public static String space() {
        return boot() + "/" + numbers();
    }

    /** Machines may have the same name, and then each would take the other's processes for dead. */
    private static String boot() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException _) {
            return "boot";
        }
    }

    /** Containers on one machine have numbers of their own, and may have the same name. */
    private static String numbers() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
        } catch (IOException | UnsupportedOperationException _) {
            return "pid";
        }
    }
}
