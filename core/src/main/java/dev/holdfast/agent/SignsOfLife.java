package dev.holdfast.agent;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import dev.holdfast.store.LruMap;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/** Calls in an agent's name, each a sign that it lives. They are written down once in a minute. */
public final class SignsOfLife {
    private static final long OFTEN_ENOUGH = Duration.ofMinutes(1).toNanos();
    /** Who was not heard of for longer than all these others is only written down once more. */
    private static final int MOST = 10_000;

    private final Agents agents;
    private final LongSupplier nanoTime;

    private final Map<String, Long> written = new LruMap<>(MOST);

    public SignsOfLife(Agents agents, LongSupplier nanoTime) {
        this.agents = agents;
        this.nanoTime = nanoTime;
    }

    /** Somebody has called in this name. Nothing happens when it is not a session's. */
    public void heard(String agent) {
        if (isName(agent) && isDue(agent, nanoTime.getAsLong())) {
            agents.seen(agent);
        }
    }

    /** Callers send all sorts of things; their verb says what is wrong. */
    private static boolean isName(String agent) {
        try {
            return !Text.holder(agent).isEmpty();
        } catch (InvalidException _) {
            return false;
        }
    }

    private boolean isDue(String agent, long now) {
        synchronized (written) {
            Long last = written.get(agent);
            boolean due = last == null || now - last >= OFTEN_ENOUGH;
            if (due) {
                written.put(agent, now);
            }
            return due;
        }
    }
}
