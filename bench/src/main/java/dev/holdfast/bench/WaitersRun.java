package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NewResource;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Resource;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Lets many agents wait for work in its own JVM, and reports how many kilobytes each takes, how long an item takes to
 * reach one of them, and that it wakes only one.
 */
final class WaitersRun {
    static final String GRANT = "create to grant ms";

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int GRANTS = 21;

    private WaitersRun() {}

    public static void main(String[] given) throws Exception {
        Map<String, String> arguments = ChildJvm.arguments(given);
        int waiters = Integer.parseInt(arguments.getOrDefault("waiters", "1"));
        String place = arguments.getOrDefault("store", "");
        BlockingQueue<Long> granted = new LinkedBlockingQueue<>();
        List<Thread> threads = new ArrayList<>();
        Figure figure;
        try (Store store = place.startsWith("jdbc:") ? PostgresStore.open(place) : SqliteStore.open(Path.of(place));
                Claims claims = Claims.over(store)) {
            long before = usedAfterCollection();
            for (int i = 0; i < waiters; i++) {
                NextRequest next = NextRequest.of(Kind.WORK, "agent-" + i).waiting(PATIENCE);
                threads.add(Thread.startVirtualThread(() -> {
                    while (claims.claimNext(next) instanceof ClaimOutcome.Granted grant) {
                        granted.add(System.nanoTime());
                        claims.complete(grant.claim().resource(), grant.claim().fence(), "done");
                    }
                }));
            }
            awaitWaiting(claims, waiters);
            double kilobytes = (usedAfterCollection() - before) / 1e3 / waiters;
            Stopwatch times = new Stopwatch();
            for (int i = 0; i < GRANTS; i++) {
                long start = System.nanoTime();
                claims.create(NewResource.of(Resource.parse("work:" + i)));
                times.took(granted.take() - start);
                awaitWaiting(claims, waiters); // the agent that got it is waiting again
            }
            claims.stopWaiting();
            for (Thread thread : threads) {
                thread.join();
            }
            List<String> violations =
                    granted.isEmpty() ? List.of() : List.of("an item woke " + granted.size() + " too many");
            figure =
                    new Figure(kilobytes, Map.of(GRANT, Stopwatch.percentile(List.of(times), 0.5) / 1_000), violations);
        }
        System.out.println(Figures.write(figure)); // after any output of closing
    }

    private static void awaitWaiting(Claims claims, int waiters) throws InterruptedException {
        while (claims.waiting(Kind.WORK) != waiters) {
            Thread.sleep(2);
        }
    }

    private static long usedAfterCollection() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(200);
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
