package dev.holdfast.claim;

import dev.holdfast.claim.Call.Verb;
import dev.holdfast.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Many threads that claim, renew, end, abandon, come back too late and reclaim, all on few resources with leases of a
 * few milliseconds.
 *
 * @param name of the process, so that the holders of different processes differ
 * @param takingBack whether claims are also reclaimed and swept
 */
record HistoryWorkload(
        String name, int threads, int callsEach, List<Resource> resources, long seed, boolean takingBack) {
    /** So short that a slightly slow holder loses its claim. */
    static final Leases LEASES = new Leases(
            Map.of(Kind.KEY, Duration.ofMillis(40), Kind.WORK, Duration.ofMillis(40)), Duration.ofMinutes(1));

    static HistoryWorkload of(String name, int threads, int callsEach, long seed) {
        List<Resource> resources =
                List.of(Resource.key("a"), Resource.key("b"), Resource.parse("work:1"), Resource.parse("work:2"));
        return new HistoryWorkload(name, threads, callsEach, resources, seed, true);
    }

    HistoryWorkload withoutTakingBack() {
        return new HistoryWorkload(name, threads, callsEach, resources, seed, false);
    }

    /** Runs on this store and returns every call that was made. */
    List<Call> run(Store store) {
        try (Claims claims = Claims.over(store, LEASES);
                ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            resources.stream()
                    .filter(resource -> !resource.kind().freeStanding())
                    .forEach(resource -> claims.create(NewResource.of(resource)));
            CallRecorder recorder = CallRecorder.on(claims, store);
            List<Future<?>> running = new ArrayList<>();
            IntStream.range(0, threads)
                    .forEach(thread -> running.add(pool.submit(() -> new Agent(recorder, thread).run())));
            for (Future<?> one : running) {
                one.get();
            }
            return recorder.calls();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private final class Agent {
        private final CallRecorder recorder;
        private final Random random;
        private final String holder;
        /** Claims that it released, lost or abandoned, and may try to use again. */
        private final List<Claim> old = new ArrayList<>();

        Agent(CallRecorder recorder, int thread) {
            this.recorder = recorder;
            holder = name + "-" + thread;
            random = new Random(seed * 1_000 + thread);
        }

        void run() {
            for (int i = 0; i < callsEach; i++) {
                int choice = random.nextInt(100);
                if (choice < 80 || old.isEmpty()) {
                    work();
                } else if (choice < 92 || !takingBack) {
                    comeBackTooLate();
                } else if (choice < 97) {
                    Claim seen = one(old);
                    recorder.reclaim(seen.resource(), seen.generation() + random.nextInt(3));
                } else {
                    recorder.sweep(resources);
                }
            }
        }

        private void work() {
            Optional<Claim> granted = recorder.claim(one(resources), holder);
            if (granted.isEmpty()) {
                return;
            }
            Claim claim = granted.get();
            for (int throttle = random.nextInt(3); throttle > 0; throttle--) {
                recorder.heartbeat(claim);
            }
            if (random.nextInt(12) > 0) {
                Verb verb = random.nextInt(4) == 0 ? Verb.FAIL : Verb.RELEASE;
                recorder.end(claim, verb);
                if (random.nextInt(3) == 0) {
                    recorder.end(claim, verb); // as if the answer had been lost
                }
            }
            old.add(claim);
        }

        private void comeBackTooLate() {
            Claim claim = one(old);
            switch (random.nextInt(3)) {
                case 0 -> recorder.heartbeat(claim);
                case 1 -> recorder.end(claim, Verb.RELEASE);
                default -> recorder.end(claim, Verb.FAIL);
            }
        }

        private <T> T one(List<T> of) {
            return of.get(random.nextInt(of.size()));
        }
    }
}
