package dev.holdfast.broker.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Finds the process that has the caller's end of a connection open, by a search through what every process has open. Callers that
 * come while a search runs share the next one: a thousand that connect at once cost a few searches, not a thousand.
 */
final class ConnectionOwners {
    sealed interface Owner {}

    record OwnedBy(long pid) implements Owner {}

    /** Not for our eyes: of another user or another container. */
    record Hidden() implements Owner {}

    /** No process has the caller's end open any more. */
    record HungUp() implements Owner {}

    record NotFoundInTime() implements Owner {}

    private static final Path PROC = Path.of("/proc");

    private final Duration longestSearch;
    private final ReentrantLock searching = new ReentrantLock();

    /** Those that the next search is for. Guarded by itself. */
    private final List<Sought> waiting = new ArrayList<>();

    ConnectionOwners(Duration longestSearch) {
        this.longestSearch = longestSearch;
    }

    Owner of(Connection connection) {
        Sought mine = new Sought(connection);
        synchronized (waiting) {
            waiting.add(mine);
        }
        searching.lock();
        try {
            if (mine.owner == null) { // nobody has searched for it since
                searchFor(takeWaiting());
            }
            return mine.owner == null ? new Hidden() : mine.owner;
        } finally {
            searching.unlock();
        }
    }

    private List<Sought> takeWaiting() {
        synchronized (waiting) {
            List<Sought> all = List.copyOf(waiting);
            waiting.clear();
            return all;
        }
    }

    private void searchFor(List<Sought> all) {
        Map<Connection, Owner> owners = new HashMap<>();
        try {
            owners.putAll(owners(all.stream().map(sought -> sought.connection).toList()));
        } catch (IOException _) {
            // not for our eyes
        } finally {
            all.forEach(sought -> sought.owner = owners.getOrDefault(sought.connection, new Hidden()));
        }
    }

    private Map<Connection, Owner> owners(Collection<Connection> connections) throws IOException {
        Map<Connection, Owner> owners = new HashMap<>();
        connections.forEach(connection -> owners.put(connection, new HungUp()));
        Map<String, Connection> open = new HashMap<>();
        ConnectionTable.openInodes(owners.keySet())
                .forEach((connection, inode) -> open.put("socket:[" + inode + "]", connection));
        boolean inTime = search(open, owners);
        Owner notFound = inTime ? new Hidden() : new NotFoundInTime();
        // of the others, some may have hung up while we searched
        ConnectionTable.openInodes(new HashSet<>(open.values()))
                .forEach((connection, _) -> owners.put(connection, notFound));
        return owners;
    }

    /** Moves what it finds from the open ones to the owners. Whoever started last is looked at first: most callers are commands
     * that were started for this one call. */
    private boolean search(Map<String, Connection> open, Map<Connection, Owner> owners) throws IOException {
        long deadline = System.nanoTime() + longestSearch.toNanos();
        for (long pid : newestFirst(PROC)) {
            if (open.isEmpty()) {
                return true;
            }
            if (!search(pid, open, owners, deadline)) {
                return false;
            }
        }
        return true;
    }

    /** A connection that calls for the first time is one of the latest files of a process that may have thousands. */
    private static boolean search(
            long pid, Map<String, Connection> open, Map<Connection, Owner> owners, long deadline) {
        Path files = PROC.resolve(Long.toString(pid)).resolve("fd");
        try {
            for (long number : newestFirst(files)) {
                if (open.isEmpty()) {
                    return true;
                }
                if (System.nanoTime() - deadline > 0) {
                    return false;
                }
                try {
                    Connection connection = open.remove(Files.readSymbolicLink(files.resolve(Long.toString(number)))
                            .toString());
                    if (connection != null) {
                        owners.put(connection, new OwnedBy(pid));
                    }
                } catch (IOException _) {
                    // closed since
                }
            }
        } catch (IOException _) {
            // gone since, or of another user
        }
        return true;
    }

    /** The numbers that entries of a folder are called; the latest, which are the highest as a rule, first. */
    private static List<Long> newestFirst(Path folder) throws IOException {
        // not a stream of paths, which takes longer: every process has such a folder
        String[] names = folder.toFile().list();
        if (names == null) {
            throw new NoSuchFileException(folder.toString());
        }
        return Arrays.stream(names)
                .filter(name -> Character.isDigit(name.charAt(0)))
                .map(Long::valueOf)
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    private static final class Sought {
        final Connection connection;

        /** Guarded by {@link #searching}. */
        @Nullable
        Owner owner;

        Sought(Connection connection) {
            this.connection = connection;
        }
    }
}
