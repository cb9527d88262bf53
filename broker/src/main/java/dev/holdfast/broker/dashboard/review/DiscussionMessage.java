package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.VisibleText;
import dev.holdfast.review.discussion.Message;
import dev.holdfast.review.record.AuditEvent;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A message of the discussion.
 *
 * @param who the sender; if that is not known, the side that it was sent for
 * @param finding the id of the finding that it answers; empty: none
 */
record DiscussionMessage(String who, String role, String text, String finding, Instant at) {
    /** The metadata field that names the finding a message answers. */
    private static final String FINDING = "finding";

    static List<DiscussionMessage> of(List<Message> messages, List<AuditEvent> events) {
        Map<String, String> senders = new HashMap<>();
        events.forEach(event -> {
            String by = event.by();
            if (by != null) {
                senders.put(event.text(AuditEvent.MESSAGE), by);
            }
        });
        return messages.stream()
                .map(message -> new DiscussionMessage(
                        senders.getOrDefault(message.id(), message.senderRole()),
                        message.senderRole(),
                        VisibleText.of(message.body()),
                        finding(message.metadata()),
                        message.at()))
                .toList();
    }

    /** The metadata of a message that answers a finding. */
    static String answering(String finding) {
        return JsonMapper.shared().writeValueAsString(Map.of(FINDING, finding));
    }

    private static String finding(@Nullable String metadata) {
        try {
            return metadata == null
                    ? ""
                    : JsonMapper.shared().readTree(metadata).path(FINDING).asString("");
        } catch (JacksonException _) {
            return ""; // the sender may have written anything there
        }
    }

    /** Whether the sender is known. */
    boolean named() {
        return !who.equals(role);
    }
}
