package dev.holdfast.broker.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;

/** Agents that propose and review as fast as they can, and what they saw. Whatever they did not expect ends them. */
final class Soak {
    private static final int WAIT = 25;

    private final RawClient client;
    private final long deadline;
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong closed = new AtomicLong();
    private final AtomicLong lostRaces = new AtomicLong();
    private final AtomicLong waitsInVain = new AtomicLong();
    /** Who is at it, by review. */
    private final Map<String, String> holders = new ConcurrentHashMap<>();

    private final Map<String, Long> generations = new ConcurrentHashMap<>();
    private final Queue<String> doubleClaims = new ConcurrentLinkedQueue<>();
    /** When it became pending or was judged: nanoseconds, by review. */
    private final Map<String, Long> since = new ConcurrentHashMap<>();

    private final Queue<Long> untilClaimed = new ConcurrentLinkedQueue<>();
    private final Queue<Long> untilReported = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final long start = System.nanoTime();
    private volatile boolean ended;

    Soak(RawClient client, long deadline) {
        this.client = client;
        this.deadline = deadline;
    }

    /** Lets an agent work; if it fails, all of them stop. */
    void run(Runnable agent) {
        try {
            agent.run();
        } catch (RuntimeException | AssertionError e) {
            failures.add(e);
            ended = true;
        }
    }

    List<Throwable> failures() {
        return List.copyOf(failures);
    }

    /** There is nothing more to review. */
    void end() {
        ended = true;
    }

    long closed() {
        return closed.get();
    }

    List<String> doubleClaims() {
        return List.copyOf(doubleClaims);
    }

    void propose(String name) {
        while (System.nanoTime() < deadline) {
            JsonNode created = proposal(name);
            String id = created.path("review_id").asString();
            JsonNode seen = call("get_review_status", "review_id", id);
            while (!seen.path("status").asString().equals("approved")) {
                if (ended) {
                    return; // somebody failed
                }
                if (seen.path("status").asString().equals("changes_requested")) {
                    report(id);
                    proposal(name, "review_id", id);
                }
                long since = seen.path("version").asLong();
                seen = call("get_review_status", "review_id", id, "wait", true, "since", since);
                if (seen.path("version").asLong() == since && !ended) {
                    waitsInVain.incrementAndGet();
                }
            }
            report(id);
            assertThat(call("close_review", "review_id", id, "closer_role", "proposer")
                            .path("status")
                            .asString())
                    .isEqualTo("closed");
            closed.incrementAndGet();
        }
    }

    private JsonNode proposal(String name, Object... review) {
        Object[] all = new Object[review.length + 10];
        Object[] usual = {
            "intent",
            "a change of " + name,
            "agent_type",
            name,
            "agent_role",
            "proposer",
            "phase",
            "1",
            "description",
            "x".repeat(500)
        };
        System.arraycopy(usual, 0, all, 0, usual.length);
        System.arraycopy(review, 0, all, usual.length, review.length);
        long asked = System.nanoTime();
        JsonNode created = call("create_review", all);
        // whoever has it before this is known was quicker than it can be measured
        since.merge(created.path("review_id").asString(), asked, Math::max);
        return created;
    }

    /** @param byName lists what there is and claims the first, as the predecessor's reviewers do */
    void review(String name, boolean byName) {
        while (!ended) {
            JsonNode claim;
            try {
                claim = byName
                        ? claimFirst(name)
                        : call("claim_next_review", "reviewer_id", name, "wait_seconds", WAIT);
            } catch (CompletionException e) {
                if (ended) {
                    return; // the broker has gone
                }
                throw e;
            }
            if (!claim.path("review_id").isString()) {
                continue;
            }
            String id = claim.path("review_id").asString();
            granted(id, name, claim.path("claim_generation").asLong());
            assertThat(call("get_proposal", "review_id", id, "caller_id", name)
                            .path("description")
                            .asString())
                    .hasSize(500);
            boolean approve = ThreadLocalRandom.current().nextInt(3) > 0;
            holders.remove(id, name);
            since.put(id, System.nanoTime());
            JsonNode verdict = call(
                    "submit_verdict",
                    "review_id",
                    id,
                    "verdict",
                    approve ? "approved" : "changes_requested",
                    "reason",
                    "as it fell",
                    "reviewer_id",
                    name,
                    "claim_generation",
                    claim.path("claim_generation").asLong());
            assertThat(verdict.path("status").asString()).isEqualTo(approve ? "approved" : "changes_requested");
        }
    }

    /** Nothing when others were quicker. */
    private JsonNode claimFirst(String name) {
        JsonNode listed = call("list_reviews", "status", "pending", "wait", true, "limit", 1);
        if (listed.path("reviews").isEmpty()) {
            return listed;
        }
        JsonNode claim =
                answer("claim_review", "review_id", listed.at("/reviews/0/id").asString(), "reviewer_id", name);
        if (claim.has("error")) {
            assertThat(claim.path("error").asString()).startsWith("Invalid transition");
            lostRaces.incrementAndGet();
        }
        return claim;
    }

    private void granted(String id, String name, long generation) {
        String other = holders.putIfAbsent(id, name);
        Long before = generations.put(id, generation);
        if (other != null || (before != null && before >= generation)) {
            doubleClaims.add(id + " at " + generation + " by " + name + ", after " + before + " by " + other);
        }
        Long proposed = since.remove(id);
        if (proposed != null) {
            untilClaimed.add(System.nanoTime() - proposed);
        }
    }

    private void report(String id) {
        Long judged = since.remove(id);
        if (judged != null) {
            untilReported.add(System.nanoTime() - judged);
        }
    }

    private JsonNode call(String tool, Object... arguments) {
        JsonNode answer = answer(tool, arguments);
        assertThat(answer.has("error")).as("%s: %s", tool, answer).isFalse();
        return answer;
    }

    /** Busy means that nothing was done: the machine has more to do than it can, so the call is made again, as agents do. */
    private JsonNode answer(String tool, Object... arguments) {
        JsonNode answer;
        do {
            calls.incrementAndGet();
            answer = client.call(tool, arguments).join();
            assertThat(answer.isObject()).as("%s: %s", tool, answer).isTrue();
        } while (answer.path("code").asString("").equals("busy") && !ended);
        return answer;
    }

    /** Waits of proposers that ended without any news: nobody took the review, or its proposer was not woken. */
    long waitsInVain() {
        return waitsInVain.get();
    }

    String figures() {
        double seconds = (System.nanoTime() - start) / 1e9;
        return "%d reviews closed, %d grants, %d calls, %.0f calls/s, %d lost races; pending until claimed %s; judged until told %s"
                .formatted(
                        closed.get(),
                        untilClaimed.size(),
                        calls.get(),
                        calls.get() / seconds,
                        lostRaces.get(),
                        report(untilClaimed),
                        report(untilReported));
    }

    private static String report(Queue<Long> nanos) {
        return "p50 %d ms, p99 %d ms, longest %d ms"
                .formatted(at(nanos, 0.5) / 1_000_000, at(nanos, 0.99) / 1_000_000, at(nanos, 1) / 1_000_000);
    }

    private static long at(Queue<Long> nanos, double part) {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1L, (long) (part * sorted.length))];
    }
}
