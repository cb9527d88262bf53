package dev.holdfast.broker.process;

import dev.holdfast.agent.AgentProcess;
import dev.holdfast.store.BusyException;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The process at the other end of a connection that comes from this machine, found as Linux tells it: the connection's
 * inode by its ports, and the process that has that inode open. Nobody can lie about it. It is not found on other systems,
 * through a proxy, from another container, and when it belongs to another user.
 */
public final class Peers {
    private static final Path PROC = Path.of("/proc");
    private static final List<Path> CONNECTIONS = List.of(PROC.resolve("net/tcp"), PROC.resolve("net/tcp6"));

    /** Words of a line of the kernel's table. */
    private static final int LOCAL = 1;

    private static final int REMOTE = 2;
    private static final int INODE = 9;

    /** What the kernel writes instead of an inode when no process has that end of the connection any more. */
    private static final String CLOSED = "0";

    /** Among millions of open files, or on a machine that is busier than any should be, it may not be enough. */
    private static final Duration LONGEST_SEARCH = Duration.ofSeconds(5);

    private final Processes processes;
    private final Duration longestSearch;

    public Peers(Processes processes) {
        this(processes, LONGEST_SEARCH);
    }

    Peers(Processes processes, Duration longestSearch) {
        this.processes = processes;
        this.longestSearch = longestSearch;
    }

    /**
     * The process, then its parent and so on; empty when it can't be told.
     *
     * @param caller the connection's other end
     * @param here our end of it
     * @throws BusyException when it takes too long to find out, or the caller has closed its end: opening many files, or sending a
     *     call and hanging up, must make nobody unknown
     */
    public List<AgentProcess> of(InetSocketAddress caller, InetSocketAddress here) {
        boolean local =
                caller.getAddress().isLoopbackAddress() || caller.getAddress().equals(here.getAddress());
        if (!local || CONNECTIONS.stream().noneMatch(Files::isReadable)) {
            return List.of();
        }
        try {
            OptionalLong pid = owner("socket:[" + openInode(caller, here) + "]");
            List<AgentProcess> found = pid.isPresent() ? processes.lineage(pid.getAsLong()) : List.of();
            if (found.isEmpty()) {
                openInode(caller, here); // it may have hung up while we looked
            }
            return found;
        } catch (IOException | DirectoryIteratorException _) {
            return List.of(); // not for our eyes
        }
    }

    /** The kernel's table is not read at one moment: what is not in it is looked for once more. */
    private static String openInode(InetSocketAddress caller, InetSocketAddress here) throws IOException {
        Optional<String> inode = inode(caller, here);
        if (inode.isEmpty()) {
            inode = inode(caller, here);
        }
        return inode.filter(number -> !number.equals(CLOSED))
                .orElseThrow(() -> new BusyException(
                        "whoever called has hung up, so that nobody can tell who it was; nothing was done"));
    }

    private static Optional<String> inode(InetSocketAddress caller, InetSocketAddress here) throws IOException {
        // most lines of a long table are passed over by these alone
        String callersPort = port(caller);
        String ourPort = port(here);
        for (Path table : CONNECTIONS) {
            if (!Files.isReadable(table)) {
                continue;
            }
            try (BufferedReader lines = Files.newBufferedReader(table)) {
                lines.readLine(); // headings
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    int at = line.indexOf(callersPort);
                    if (at < 0 || line.indexOf(ourPort, at) < 0) {
                        continue;
                    }
                    String[] words = line.strip().split("\\s+");
                    if (words.length > INODE && isAt(words[LOCAL], caller) && isAt(words[REMOTE], here)) {
                        return Optional.of(words[INODE]);
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** As the kernel writes it, at the end of an address. */
    private static String port(InetSocketAddress address) {
        return ":%04X ".formatted(address.getPort());
    }

    /** Whether the kernel's words, such as {@code 0100007F:2081}, are this address. */
    static boolean isAt(String words, InetSocketAddress address) throws IOException {
        int colon = words.indexOf(':');
        if (colon < 0 || Integer.parseInt(words, colon + 1, words.length(), 16) != address.getPort()) {
            return false;
        }
        byte[] bytes = HexFormat.of().parseHex(words, 0, colon);
        for (int word = 0; word + 4 <= bytes.length; word += 4) { // each word of four bytes is written backwards
            swap(bytes, word, word + 3);
            swap(bytes, word + 1, word + 2);
        }
        return InetAddress.getByAddress(bytes).equals(address.getAddress());
    }

    private static void swap(byte[] bytes, int one, int other) {
        byte kept = bytes[one];
        bytes[one] = bytes[other];
        bytes[other] = kept;
    }

    /** Whoever started last is looked at first: most callers are commands that were started for this one call. */
    private OptionalLong owner(String file) throws IOException {
        long deadline = System.nanoTime() + longestSearch.toNanos();
        for (long pid : newestFirst(PROC)) {
            if (hasOpen(PROC.resolve(Long.toString(pid)).resolve("fd"), file, deadline)) {
                return OptionalLong.of(pid);
            }
        }
        return OptionalLong.empty();
    }

    /** The numbers that the entries of a folder are called; the latest, which are the highest as a rule, first. */
    private static List<Long> newestFirst(Path folder) throws IOException {
        List<Long> numbers = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "[0-9]*")) {
            entries.forEach(
                    entry -> numbers.add(Long.valueOf(entry.getFileName().toString())));
        }
        numbers.sort(Comparator.reverseOrder());
        return numbers;
    }

    /** A connection that calls for the first time is one of the latest files of a process that may have thousands. */
    private static boolean hasOpen(Path folder, String file, long deadline) {
        try {
            for (long number : newestFirst(folder)) {
                if (System.nanoTime() - deadline > 0) {
                    throw new BusyException("it takes too long to find out which process calls, among all that this"
                            + " machine's processes have open; try again");
                }
                try {
                    if (Files.readSymbolicLink(folder.resolve(Long.toString(number)))
                            .toString()
                            .equals(file)) {
                        return true;
                    }
                } catch (IOException _) {
                    // closed since
                }
            }
        } catch (IOException | DirectoryIteratorException _) {
            return false; // gone since, or of another user
        }
        return false;
    }
}
