package dev.holdfast.work;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.HeartbeatOutcome;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.event.Event;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.Checker;
import dev.holdfast.testing.TestStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Agents race through a backlog, some are taken for dead at it and come back too late. */
final class WorkGuardHarness {
    private static final int AGENTS = 8;
    private static final int LAYERS = 8;
    private final Claims claims;
    private final WorkItems work;
    private final Map<String, Set<String>> backlog = new HashMap<>();
    private final Queue<Claim> displaced = new ConcurrentLinkedQueue<>();
    private final Queue<String> accepted = new ConcurrentLinkedQueue<>();
    private final Set<String> closed = ConcurrentHashMap.newKeySet();

    /** Shared while something is claimed and done; alone, one knows that nobody is about to make anything ready. */
    private final ReadWriteLock working = new ReentrantReadWriteLock();

    private volatile boolean stuck;

    private WorkGuardHarness(TestStore on, Claims claims) {
        this.claims = claims;
        work = WorkItems.over(on.store(), claims);
    }

    /** The race, on the database that is named; none: SQLite. */
    public static final class Race implements Checker {
        @Override
        public Optional<String> objection(List<String> arguments) throws InterruptedException {
            try (TestStore on = arguments.isEmpty()
                            ? TestStore.ticking(Engine.SQLITE)
                            : TestStore.ticking(arguments.getFirst());
                    Claims claims = Claims.over(on.store())) {
                return new WorkGuardHarness(on, claims).objection();
            }
        }
    }

    private Optional<String> objection() throws InterruptedException {
        plan();
        ExecutorService agents = Executors.newFixedThreadPool(AGENTS);
        for (int i = 0; i < AGENTS; i++) {
            String name = "agent-" + i;
            var _ = agents.submit(() -> race(name));
        }
        agents.shutdown();
        agents.awaitTermination(2, TimeUnit.MINUTES);
        displaced.forEach(this::comeBack);
        List<String> wrong = new ArrayList<>(accepted);
        wrong.addAll(new WorkHistory(events(), backlog, Duration.ZERO).wrong());
        return wrong.stream().findFirst();
    }

    /** Layers, each item of which waits for all of the layer before: so that many end together what one waits for. */
    private void plan() {
        Set<String> before = Set.of();
        for (int layer = 0; layer < LAYERS; layer++) {
            Set<String> these = new HashSet<>();
            for (int i = 0; i < AGENTS; i++) {
                String id = work.making()
                        .create(NewWork.titled("item").dependsOn(before))
                        .id();
                backlog.put(id, before);
                these.add(id);
            }
            before = these;
        }
    }

    private void race(String name) {
        for (int life = 0; closed.size() < backlog.size() && accepted.isEmpty() && !stuck; life++) {
            String agent = name + "." + life;
            if (!workOnce(working.readLock(), agent) && !workOnce(working.writeLock(), agent)) {
                stuck = closed.size() < backlog.size();
            }
            Optional.ofNullable(displaced.peek()).ifPresent(this::comeBack);
        }
    }

    private boolean workOnce(Lock lock, String agent) {
        lock.lock();
        try {
            Optional<Claim> taken = WorkClaims.granted(work.claiming().next(NextRequest.of(Kind.WORK, agent)));
            taken.ifPresent(this::doIt);
            return taken.isPresent();
        } finally {
            lock.unlock();
        }
    }

    private void doIt(Claim claim) {
        if (ThreadLocalRandom.current().nextInt(4) == 0) {
            claims.reclaim(claim.resource(), claim.generation(), "taken for dead");
            displaced.add(claim);
            return;
        }
        try {
            work.closing().close(claim.resource().id(), claim.fence(), null, null);
            if (!closed.add(claim.resource().id())) {
                accepted.add(claim.resource() + " was closed twice");
            }
        } catch (RefusedException e) {
            accepted.add("the holder of " + claim.resource() + " was refused: " + e.getMessage());
        }
    }

    /** Tries all that a holder may do. */
    private void comeBack(Claim late) {
        String id = late.resource().id();
        if (claims.heartbeat(late.resource(), late.fence()) instanceof HeartbeatOutcome.Extended) {
            accepted.add("a late heartbeat for " + late.resource() + " was accepted");
        }
        mustBeRefused("update", () -> work.changing().update(id, late.fence(), new WorkChange().title("late")));
        mustBeRefused("close", () -> work.closing().close(id, late.fence(), null, null));
        if (work.kindClaims().release(late.resource(), late.fence(), Ending.released(null))
                instanceof EndOutcome.Ended) {
            accepted.add("a late release of " + late.resource() + " was accepted");
        }
    }

    private void mustBeRefused(String what, Runnable call) {
        try {
            call.run();
            accepted.add("a late " + what + " was accepted");
        } catch (RefusedException e) {
            if (e.code() != RefusalCode.LOST) {
                accepted.add("a late " + what + " was refused as " + e.code());
            }
        }
    }

    private List<Event> events() {
        List<Event> all = new ArrayList<>();
        List<Event> more;
        do {
            more = claims.tail().after(all.isEmpty() ? 0 : all.getLast().id(), 1_000);
            all.addAll(more);
        } while (!more.isEmpty());
        return all;
    }
}
