package dev.holdfast.agent;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import dev.holdfast.store.LruMap;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/** Calls in an agent's name, each a sign of life. They are recorded once a minute. */
public final class AgentActivity {
    private static final long WRITE_INTERVAL = Duration.ofMinutes(1).toNanos();
    /** An agent evicted because this many others were heard from more recently is merely recorded once more. */
    private static final int MAX = 10_000;

    private final Agents agents;
    private final LongSupplier nanoTime;

    private final Map<String, Long> written = new LruMap<>(MAX);

    public AgentActivity(Agents agents, LongSupplier nanoTime) {
        this.agents = agents;
        this.nanoTime = nanoTime;
    }

    /** Records a call in this name. Does nothing if it is not a session's name. */
    public void heard(String agent) {
        if (isName(agent) && isDue(agent, nanoTime.getAsLong())) {
            agents.seen(agent);
        }
    }

    /** Callers send all sorts of things; the verb that they call reports what is wrong. */
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
            boolean due = last == null || now - last >= WRITE_INTERVAL;
            if (due) {
                written.put(agent, now);
            }
            return due;
        }
    }
}
