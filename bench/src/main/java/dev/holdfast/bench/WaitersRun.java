package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NewResource;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Resource;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets many wait for work in a JVM of its own, says how many kilobytes each takes, and that one item wakes one of them. */
final class WaitersRun {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private WaitersRun() {}

    public static void main(String[] given) throws Exception {
        Map<String, String> arguments = ChildJvm.arguments(given);
        int waiters = Integer.parseInt(arguments.getOrDefault("waiters", "1"));
        AtomicInteger granted = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        Figure figure;
        try (Store store = SqliteStore.open(Path.of(arguments.getOrDefault("store", "")));
                Claims claims = Claims.over(store)) {
            long before = usedAfterCollection();
            for (int i = 0; i < waiters; i++) {
                NextRequest next = NextRequest.of(Kind.WORK, "agent-" + i).waiting(PATIENCE);
                threads.add(Thread.startVirtualThread(() -> {
                    if (claims.claimNext(next) instanceof ClaimOutcome.Granted) {
                        granted.incrementAndGet();
                    }
                }));
            }
            awaitWaiting(claims, waiters);
            double kilobytes = (usedAfterCollection() - before) / 1e3 / waiters;
            claims.create(NewResource.of(Resource.parse("work:1")));
            awaitWaiting(claims, waiters - 1);
            claims.stopWaiting();
            for (Thread thread : threads) {
                thread.join();
            }
            List<String> violations =
                    granted.get() == 1 ? List.of() : List.of("one item was granted " + granted.get() + " times");
            figure = new Figure(kilobytes, Map.of(), violations);
        }
        System.out.println(Figures.write(figure)); // after what closing has to say
    }

    private static void awaitWaiting(Claims claims, int waiters) throws InterruptedException {
        while (claims.waiting(Kind.WORK) != waiters) {
            Thread.sleep(20);
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
