package dev.holdfast.broker.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The kernel's TCP tables, which contain the inodes of local sockets. */
final class ConnectionTable {
    /** In the order of who calls most often over a new connection: Holdfast's own commands are in the first. */
    private static final List<Path> FILES = List.of(Path.of("/proc/net/tcp6"), Path.of("/proc/net/tcp"));

    /** Column numbers. */
    private static final int LOCAL = 1;

    private static final int REMOTE = 2;
    private static final int INODE = 9;

    /** The inode the kernel shows when no process has that end open any more. */
    private static final String CLOSED = "0";

    private ConnectionTable() {}

    /** Whether the tables exist: only on Linux. */
    static boolean isReadable() {
        return FILES.stream().anyMatch(Files::isReadable);
    }

    /**
     * The inodes of the callers' ends; callers that have hung up are missing. The tables are not read atomically, so a
     * missing entry is looked up a second time.
     */
    static Map<Connection, String> openInodes(Collection<Connection> connections) throws IOException {
        Map<Connection, String> inodes = inodes(connections);
        if (inodes.size() < connections.size()) {
            inodes.putAll(inodes(connections.stream()
                    .filter(connection -> !inodes.containsKey(connection))
                    .toList()));
        }
        inodes.values().removeIf(CLOSED::equals);
        return inodes;
    }

    /** The kernel takes milliseconds to write a whole table, so reading ends once every connection is known. */
    private static Map<Connection, String> inodes(Collection<Connection> connections) throws IOException {
        Set<Connection> unknown = new HashSet<>(connections);
        Map<Integer, List<Connection>> byPort = connections.stream()
                .collect(Collectors.groupingBy(connection -> connection.caller().getPort()));
        Map<Connection, String> inodes = new HashMap<>();
        for (Path file : FILES) {
            if (unknown.isEmpty() || !Files.isReadable(file)) {
                continue;
            }
            try (BufferedReader lines = Files.newBufferedReader(file)) {
                lines.readLine(); // header
                for (String line = lines.readLine(); line != null && !unknown.isEmpty(); line = lines.readLine()) {
                    List<Connection> candidates = byPort.getOrDefault(localPort(line), List.of());
                    if (candidates.isEmpty()) {
                        continue; // true of most lines in a long table
                    }
                    String[] words = line.strip().split("\\s+");
                    for (Connection candidate : candidates) {
                        if (isAt(words[LOCAL], candidate.caller()) && isAt(words[REMOTE], candidate.here())) {
                            inodes.put(candidate, words[INODE]);
                            if (!words[INODE].equals(CLOSED)) {
                                unknown.remove(candidate);
                            }
                        }
                    }
                }
            }
        }
        return inodes;
    }

    /** The port in a line such as {@code 0: 0100007F:2081 ...}. */
    private static int localPort(String line) {
        int start = line.indexOf(':', line.indexOf(':') + 1) + 1;
        return Integer.parseInt(line, start, start + 4, 16);
    }

    /** Whether the kernel's notation, such as {@code 0100007F:2081}, denotes this address. */
    static boolean isAt(String words, InetSocketAddress address) throws IOException {
        int colon = words.indexOf(':');
        if (colon < 0 || Integer.parseInt(words, colon + 1, words.length(), 16) != address.getPort()) {
            return false;
        }
        byte[] bytes = HexFormat.of().parseHex(words, 0, colon);
        for (int word = 0; word + 4 <= bytes.length; word += 4) { // each four-byte word is little-endian
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
}
