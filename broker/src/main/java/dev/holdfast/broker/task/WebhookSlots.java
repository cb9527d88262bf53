package dev.holdfast.broker.task;

import dev.holdfast.task.Outbox;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The hosts and ports being called: one call at a time to each, and a limited number in total. */
final class WebhookSlots implements Outbox.Slots {
    /** More than the hosts in any real configuration; but a host may be listed with all its ports. */
    private static final int MAX = 64;

    private final Set<String> busy = ConcurrentHashMap.newKeySet();

    @Override
    public @Nullable String of(String payload) {
        try {
            return OnFinish.of(payload) instanceof OnFinish.Webhook webhook
                    ? String.valueOf(URI.create(webhook.url()).getRawAuthority())
                            .toLowerCase(Locale.ROOT)
                    : null;
        } catch (RuntimeException _) {
            return null; // invalid, so no host is called; the attempt will report why
        }
    }

    @Override
    public boolean free(String place) {
        return busy.size() < MAX && !busy.contains(place);
    }

    void enter(String place) {
        busy.add(place);
    }

    void leave(String place) {
        busy.remove(place);
    }
}
