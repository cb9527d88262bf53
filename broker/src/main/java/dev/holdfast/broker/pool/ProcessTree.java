package dev.holdfast.broker.pool;

import dev.holdfast.broker.pool.engine.Launch;
import dev.holdfast.review.pool.PoolReviewer.Started;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All processes of one reviewer: the one that was started, its session, every process with its mark, and all their
 * descendants. Where the system has {@code /proc}, this includes processes whose parent has died; elsewhere, only those
 * seen before it died.
 */
final class ProcessTree {
    private static final Path PROC = Path.of("/proc");
    private static final Duration LOOK = Duration.ofMillis(20);
    /** How long a process may take to die after SIGKILL; it can be stuck in the kernel. */
    private static final Duration KILLED = Duration.ofSeconds(2);

    private static final long CLOCKS_DIFFER_MILLIS = 2_000;
    /** The unit of start times in Linux's {@code /proc}, whatever the kernel's own timer frequency. */
    private static final long TICK_MILLIS = 10;

    private final Started leader;
    private final String mark;
    private final boolean ownSession;
    private final Set<ProcessHandle> seen = new LinkedHashSet<>();

    /**
     * @param mark the reviewer's id
     * @param ownSession whether the started process leads its own session
     */
    ProcessTree(Started leader, String mark, boolean ownSession) {
        this.leader = leader;
        this.mark = mark;
        this.ownSession = ownSession;
    }

    /**
     * The remaining processes of a reviewer whose broker is gone. A pid alone proves nothing, as it may have been
     * reused: a process counts only if it has the mark or the recorded start time.
     */
    static ProcessTree orphaned(@Nullable Started leader, String mark) {
        Started nobody = new Started(-1, 0);
        if (leader == null) {
            return new ProcessTree(nobody, mark, false);
        }
        boolean same = handle(leader).isPresent();
        return new ProcessTree(same ? leader : nobody, mark, same && session(leader.pid()) == leader.pid());
    }

    /** The process with this pid, if it is still the same one. */
    static Optional<ProcessHandle> handle(Started process) {
        return ProcessHandle.of(process.pid())
                .filter(handle -> Math.abs(started(handle) - process.startedAt()) <= CLOCKS_DIFFER_MILLIS);
    }

    /** Milliseconds since boot where available: setting the clock would shift wall-clock start times. */
    static long started(ProcessHandle handle) {
        return stat(PROC.resolve(Long.toString(handle.pid())))
                .map(Stat::startedAt)
                .orElseGet(() -> handle.info()
                        .startInstant()
                        .map(java.time.Instant::toEpochMilli)
                        .orElse(0L));
    }

    /**
     * Ends all of them: asks, waits for the grace period, then kills.
     *
     * @return whether none is left
     */
    boolean end(Duration grace) {
        if (grace.isPositive()) {
            members().forEach(ProcessHandle::destroy);
            if (gone(grace, false)) {
                return true;
            }
        }
        return gone(KILLED, true);
    }

    private boolean gone(Duration patience, boolean kill) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            Set<ProcessHandle> left = members();
            if (left.isEmpty()) {
                return true;
            }
            if (kill) {
                left.forEach(ProcessHandle::destroyForcibly); // what they start meanwhile is caught in the next pass
            }
            if (System.nanoTime() > deadline) {
                return false;
            }
            try {
                Thread.sleep(LOOK);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    /** The processes alive now, without zombies. */
    synchronized Set<ProcessHandle> members() {
        if (Files.isDirectory(PROC)) {
            return inProc();
        }
        handle(leader).ifPresent(first -> {
            seen.add(first);
            first.descendants().forEach(seen::add);
        });
        new ArrayList<>(seen).forEach(one -> one.descendants().forEach(seen::add));
        seen.removeIf(one -> !one.isAlive());
        return Set.copyOf(seen);
    }

    private Set<ProcessHandle> inProc() {
        Map<Long, Stat> all = new HashMap<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                stat(process).filter(Stat::alive).ifPresent(stat -> all.put(stat.pid(), stat));
            }
        } catch (IOException e) {
            return Set.of();
        }
        Set<Long> found = new LinkedHashSet<>();
        for (Stat stat : all.values()) {
            if (stat.pid() == leader.pid() || (ownSession && stat.session() == leader.pid()) || marked(stat.pid())) {
                found.add(stat.pid());
            }
        }
        int before;
        do {
            before = found.size();
            all.values().stream().filter(stat -> found.contains(stat.parent())).forEach(stat -> found.add(stat.pid()));
        } while (found.size() > before);
        found.remove(ProcessHandle.current().pid());
        Set<ProcessHandle> handles = new LinkedHashSet<>();
        found.forEach(pid -> ProcessHandle.of(pid).ifPresent(handles::add));
        return handles;
    }

    private boolean marked(long pid) {
        try {
            byte[] environment = Files.readAllBytes(PROC.resolve(pid + "/environ"));
            String text = new String(environment, StandardCharsets.UTF_8);
            return ("\0" + text + "\0").contains("\0" + Launch.MARK + "=" + mark + "\0");
        } catch (IOException _) {
            return false; // belongs to another user, or is gone
        }
    }

    private record Stat(long pid, long parent, long session, boolean alive, long startedAt) {}

    private static long session(long pid) {
        return stat(PROC.resolve(Long.toString(pid))).map(Stat::session).orElse(-1L);
    }

    /**
     * Parses "pid (name) state parent group session ... start"; start is field 22, and the name may contain anything.
     */
    private static Optional<Stat> stat(Path process) {
        try {
            String text = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            List<String> rest =
                    List.of(text.substring(text.lastIndexOf(')') + 2).split(" "));
            return Optional.of(new Stat(
                    Long.parseLong(process.getFileName().toString()),
                    Long.parseLong(rest.get(1)),
                    Long.parseLong(rest.get(3)),
                    !rest.get(0).equals("Z") && !rest.get(0).equals("X"),
                    Long.parseLong(rest.get(19)) * TICK_MILLIS));
        } catch (IOException | RuntimeException _) {
            return Optional.empty(); // the process is gone
        }
    }
}
