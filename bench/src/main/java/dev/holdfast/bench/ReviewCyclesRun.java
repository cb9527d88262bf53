package dev.holdfast.bench;

import dev.holdfast.agent.Caller;
import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Fence;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.approval.ReviewerRules;
import dev.holdfast.review.queue.RequireFence;
import dev.holdfast.review.queue.ReviewClaims;
import dev.holdfast.review.record.DiffCheck;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.review.record.Reviewers;
import dev.holdfast.review.verdict.Verdicts;
import dev.holdfast.store.NearbyIds;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** Whole reviews in its own JVM, in process: each caller creates one, claims, approves and closes it, and the next. */
final class ReviewCyclesRun {
    private final Reviews reviews;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final LongAdder done = new LongAdder();

    private ReviewCyclesRun(Reviews reviews) {
        this.reviews = reviews;
    }

    public static void main(String[] given) throws Exception {
        Map<String, String> arguments = ChildJvm.arguments(given);
        Path folder = Path.of(arguments.getOrDefault("store", ""));
        Figure figure;
        Batches batches = new Batches();
        try (Store store = SqliteStore.open(folder);
                Claims claims = Claims.over(store);
                // as the predecessor, which knows no receipts
                Reviews reviews = new Reviews(
                        store,
                        claims,
                        RequireFence.ALWAYS,
                        false,
                        ReviewerRules.DEFAULT,
                        Reviewers.UNKNOWN,
                        DiffCheck.NONE,
                        ReviewLimits.DEFAULT,
                        new NearbyIds())) {
            store.observer(batches);
            figure = new ReviewCyclesRun(reviews)
                    .measure(
                            Integer.parseInt(arguments.getOrDefault("callers", "1")),
                            Long.parseLong(arguments.getOrDefault("warm", "0")),
                            Long.parseLong(arguments.getOrDefault("measured", "1000")));
        }
        figure.details().putAll(batches.figures());
        List<String> violations = new ArrayList<>();
        try (WorkItems stored = new WorkItems.OnSqlite(folder)) {
            long closed = stored.count("SELECT count(*) FROM reviews WHERE status = 'closed'");
            double acknowledged = figure.details().getOrDefault("cycles", 0.0);
            if (closed != acknowledged) {
                violations.add(closed + " reviews are closed, " + acknowledged + " were acknowledged");
            }
        }
        System.out.println(Figures.write(new Figure(figure.value(), figure.details(), violations)));
    }

    private Figure measure(int callers, long warm, long measured) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 1; i <= callers; i++) {
            String name = "agent-" + i;
            threads.add(Thread.ofVirtual().name(name).start(() -> cycles(name)));
        }
        Thread.sleep(warm);
        long before = done.sum();
        ProcessorTime used = ProcessorTime.now("");
        long start = System.nanoTime();
        Thread.sleep(measured);
        long cycles = done.sum() - before;
        double seconds = (System.nanoTime() - start) / 1e9;
        ProcessorTime usedThen = ProcessorTime.now("");
        stopped.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        Map<String, Double> details = new LinkedHashMap<>();
        details.put("cycles", done.doubleValue());
        usedThen.tellSince(used, cycles, details);
        return new Figure(cycles / seconds, details, List.of());
    }

    private void cycles(String name) {
        while (!stopped.get()) {
            String id = reviews.proposals()
                    .create(Proposal.of("add a cache", "proposer", name, "7").project("bench"))
                    .id();
            ReviewClaims.Granted granted =
                    (ReviewClaims.Granted) reviews.claiming().claim(id, "reviewer-of-" + name, null, null);
            Fence fence = new Fence("reviewer-of-" + name, granted.review().generation());
            reviews.verdicts().submit(id, Verdicts.Submission.of("approved", "fine", fence), Caller.UNKNOWN);
            reviews.proposals().close(id, "proposer");
            done.increment();
        }
    }
}
