package dev.holdfast.broker.process;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A machine, or rather a space of process numbers on it. There is one notion of "this machine" everywhere: whoever judges by a
 * process number that somebody is dead must be of the same one.
 *
 * @param name as {@code uname -n} prints it; others may have the same
 * @param space which boot of which system, and which space of process numbers: containers have numbers of their own
 */
public record Machine(String name, String space) {
    private static final String NO_BOOT = "boot";
    private static final String NO_NUMBERS = "pid";

    /** Where this broker runs. */
    public static Machine here() {
        return new Machine(hostName(), boot() + "/" + numbers("self"));
    }

    /** All of it: what is stored, and compared. */
    public String id() {
        return name + "/" + space;
    }

    /** Whether the place that a client says it runs in is this machine; systems without process namespaces send none. */
    public boolean is(@Nullable String clientsName, @Nullable String clientsSpace) {
        return name.equals(clientsName)
                && (clientsSpace == null ? space.startsWith(NO_BOOT + "/") : space.equals(clientsSpace));
    }

    /** Whether this process, which can be seen from here, counts process numbers as we do. */
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
