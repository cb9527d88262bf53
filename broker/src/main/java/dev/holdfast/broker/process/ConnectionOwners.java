package dev.holdfast.broker.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Finds the process that has the caller's end of a connection open, by searching the open files of every process.
 * Callers that arrive during a search share the next one: a thousand simultaneous connections cost a few searches, not
 * a thousand.
 */
final class ConnectionOwners {
    sealed interface Owner {}

    record OwnedBy(long pid) implements Owner {}

    /** We may not see its owner: another user's process, or one in another container. */
    record Hidden() implements Owner {}

    /** No process has the caller's end open any more. */
    record HungUp() implements Owner {}

    record NotFoundInTime() implements Owner {}

    private static final Path PROC = Path.of("/proc");

    /** How many owners are remembered: as many as a few agents, each with its tools, call with at a time. */
    private static final int RECENT = 8;

    private final Duration longestSearch;
    private final ReentrantLock searching = new ReentrantLock();

    /** What the next search looks for. Guarded by itself. */
    private final List<Sought> waiting = new ArrayList<>();

    /** Processes that own other connections, the latest first. Guarded by {@link #searching}. */
    private final Deque<Long> recent = new ArrayDeque<>();

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
            if (mine.owner == null) { // no search has covered it yet
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
            // not readable for us: counts as hidden
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
        // some of the rest may have hung up during the search
        ConnectionTable.openInodes(new HashSet<>(open.values()))
                .forEach((connection, _) -> owners.put(connection, notFound));
        return owners;
    }

    /**
     * Moves each connection it finds from open to owners. Looks at recent callers first, since most that stay call again,
     * and then at the newest processes, since most others are commands started for this one call.
     */
    private boolean search(Map<String, Connection> open, Map<Connection, Owner> owners) throws IOException {
        long deadline = System.nanoTime() + longestSearch.toNanos();
        return search(List.copyOf(recent), open, owners, deadline)
                && (open.isEmpty() || search(newestFirst(PROC), open, owners, deadline));
    }

    private boolean search(
            List<Long> pids, Map<String, Connection> open, Map<Connection, Owner> owners, long deadline) {
        for (long pid : pids) {
            if (open.isEmpty()) {
                return true;
            }
            if (!search(pid, open, owners, deadline)) {
                return false;
            }
        }
        return true;
    }

    private void remember(long pid) {
        recent.remove(pid);
        recent.addFirst(pid);
        if (recent.size() > RECENT) {
            recent.removeLast();
        }
    }

    /**
     * Looks at the newest files first: a process may have thousands open, and a connection making its first call is
     * among the latest.
     */
    private boolean search(long pid, Map<String, Connection> open, Map<Connection, Owner> owners, long deadline) {
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
                        remember(pid);
                    }
                } catch (IOException _) {
                    // closed in the meantime
                }
            }
        } catch (IOException _) {
            // gone in the meantime, or another user's process
        }
        return true;
    }

    /** The numeric entries of a folder, highest first: the highest are usually the newest. */
    private static List<Long> newestFirst(Path folder) throws IOException {
        // faster than a stream of paths, which matters with one such folder per process
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
