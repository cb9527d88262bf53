package dev.holdfast.broker.team;

import dev.holdfast.claim.Call;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** What the agents did and were told; a run is judged by it. */
final class ChaosBook {
    /** A change that somebody was told was made; each kind has an event or a row that must be there in the end. */
    enum Kept {
        GRANT,
        WORK_CREATED,
        WORK_CLOSED,
        TASK_CREATED,
        STEP_COMPLETED,
        TASK_FINISHED,
        REVIEW_CREATED,
        VERDICT,
        MESSAGE
    }

    private final Queue<Call> keys = new ConcurrentLinkedQueue<>();
    private final Map<Kept, Set<String>> acknowledged = new ConcurrentHashMap<>();
    private final Queue<String> odd = new ConcurrentLinkedQueue<>();
    private final Map<String, LongAdder> answers = new ConcurrentHashMap<>();
    private final LongAdder operations = new LongAdder();
    private final LongAdder unanswered = new LongAdder();

    /** One request that was sent, and what came back. */
    void sent(String verb, String answer) {
        operations.increment();
        answers.computeIfAbsent(verb + " " + answer, _ -> new LongAdder()).increment();
    }

    /** Nobody knows its outcome. */
    void unanswered() {
        unanswered.increment();
    }

    void key(Call call) {
        keys.add(call);
    }

    void acknowledged(Kept what, String name) {
        acknowledged.computeIfAbsent(what, _ -> ConcurrentHashMap.newKeySet()).add(name);
    }

    /** An answer that no caller should ever get. */
    void odd(String what) {
        odd.add(what);
    }

    Queue<Call> keys() {
        return keys;
    }

    Set<String> acknowledged(Kept what) {
        return acknowledged.getOrDefault(what, Set.of());
    }

    Queue<String> odd() {
        return odd;
    }

    long operations() {
        return operations.sum();
    }

    long unansweredCalls() {
        return unanswered.sum();
    }

    /** How often each verb got each answer. */
    Map<String, Long> answers() {
        Map<String, Long> sorted = new TreeMap<>();
        answers.forEach((what, times) -> sorted.put(what, times.sum()));
        return sorted;
    }
}
