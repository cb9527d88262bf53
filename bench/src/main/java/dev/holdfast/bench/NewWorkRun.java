package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NewResource;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Resource;
import dev.holdfast.store.PostgresStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.SynchronousQueue;
import org.jspecify.annotations.Nullable;

/** One waiting agent in its own JVM, for which work items are created one by one, through its broker or another. */
final class NewWorkRun {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** A grant and when the agent got it. */
    private record Held(Claim claim, long at) {}

    private NewWorkRun() {}

    public static void main(String[] given) throws Exception {
        Map<String, String> arguments = ChildJvm.arguments(given);
        long warm = Long.parseLong(arguments.getOrDefault("warm", "0")) * 1_000_000;
        long measured = Long.parseLong(arguments.getOrDefault("measured", "1000")) * 1_000_000;
        Stopwatch times = new Stopwatch();
        List<String> violations = new ArrayList<>();
        String url = arguments.getOrDefault("store", "");
        boolean two = arguments.getOrDefault("brokers", "1").equals("2");
        try (PostgresStore store = PostgresStore.open(url);
                Claims claims = Claims.over(store);
                @Nullable PostgresStore second = two ? PostgresStore.open(url) : null;
                @Nullable Claims others = second == null ? null : Claims.over(second)) {
            Claims there = others == null ? claims : others;
            SynchronousQueue<Held> hands = new SynchronousQueue<>();
            Thread agent = Thread.startVirtualThread(() -> waitAgainAndAgain(there, hands));
            long start = System.nanoTime();
            for (int i = 1; System.nanoTime() - start < warm + measured; i++) {
                while (there.waiting(Kind.WORK) == 0) {
                    Thread.onSpinWait();
                }
                Resource made = Resource.parse("work:" + i);
                long before = System.nanoTime();
                claims.create(NewResource.of(made));
                Held held = hands.take();
                if (before - start > warm) {
                    times.took(held.at - before);
                }
                if (!held.claim.resource().equals(made)) {
                    violations.add(made + " was made, and " + held.claim.resource() + " was granted");
                }
            }
            there.stopWaiting();
            agent.join();
        }
        System.out.println(Figures.write(new Figure(Stopwatch.percentile(List.of(times), 0.5), Map.of(), violations)));
    }

    private static void waitAgainAndAgain(Claims claims, SynchronousQueue<Held> hands) {
        NextRequest next = NextRequest.of(Kind.WORK, "agent").waiting(PATIENCE);
        try {
            while (claims.claimNext(next) instanceof Granted granted) {
                hands.put(new Held(granted.claim(), System.nanoTime()));
                // before it waits again, otherwise it would get the same one again
                claims.complete(granted.claim().resource(), granted.claim().fence(), "done");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
