package dev.holdfast.broker.pool;

import dev.holdfast.review.PoolReviewer.Host;
import dev.holdfast.review.PoolReviewer.Started;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where this broker runs. */
public final class Machine {
    private Machine() {}

    /** This machine, or rather this space of process numbers, and this process. */
    public static Host here() {
        ProcessHandle self = ProcessHandle.current();
        return new Host(
                String.join("/", name(), boot(), numbers()), new Started(self.pid(), ProcessTree.started(self)));
    }

    /** As others on the network know it. */
    public static String name() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException _) {
            return "localhost";
        }
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
