package dev.holdfast.broker.process;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A machine or, more precisely, a pid namespace on it. This is the only notion of "this machine": only a process of the
 * same machine may conclude from a pid that another is dead.
 *
 * @param name as printed by {@code uname -n}; not necessarily unique
 * @param space identifies the boot and the pid namespace: containers have their own pids
 */
public record Machine(String name, String space) {
    private static final String NO_BOOT = "boot";
    private static final String NO_NUMBERS = "pid";

    /** The machine this broker runs on. */
    public static Machine here() {
        return new Machine(hostName(), boot() + "/" + numbers("self"));
    }

    /** The full identity, for storing and comparing. */
    public String id() {
        return name + "/" + space;
    }

    /** Whether a client runs on this machine, by what it reports; systems without pid namespaces send no space. */
    public boolean is(@Nullable String clientsName, @Nullable String clientsSpace) {
        return name.equals(clientsName)
                && (clientsSpace == null ? space.startsWith(NO_BOOT + "/") : space.equals(clientsSpace));
    }

    /** Whether this process, which is visible from here, is in our pid namespace. */
    static boolean sharesNumbers(long pid) {
        return numbers(Long.toString(pid)).equals(numbers("self"));
    }

    private static String hostName() {
        try {
            Path kernels = Path.of("/proc/sys/kernel/hostname");
            return Files.isReadable(kernels)
                    ? Files.readString(kernels).strip()
                    : InetAddress.getLocalHost().getHostName();
        } catch (IOException _) {
            return "localhost";
        }
    }

    private static String boot() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException _) {
            return NO_BOOT;
        }
    }

    private static String numbers(String process) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", process, "ns", "pid"))
                    .toString();
        } catch (IOException | UnsupportedOperationException _) {
            return NO_NUMBERS;
        }
    }
}
