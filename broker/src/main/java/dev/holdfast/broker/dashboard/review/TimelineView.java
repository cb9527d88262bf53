package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.Visible;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.review.discussion.Message;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What happened to a review, the newest first: verdicts, what was said, and who had it when, in one list. */
public record TimelineView(List<Moment> moments) {
    /** @param say what somebody wrote; empty: nothing */
    public record Moment(
            String icon,
            String look,
            String who,
            String did,
            String say,
            @Nullable Long generation,
            When at) {}

    static TimelineView of(List<AuditEvent> events, List<Verdict> verdicts, List<Message> messages, Instant now) {
        List<Moment> moments = new ArrayList<>();
        for (Verdict verdict : verdicts) {
            State state = State.ofVerdict(verdict.verdict());
            String did = switch (verdict.verdict()) {
                        case Verdict.APPROVED -> "approved it";
                        case Verdict.CHANGES_REQUESTED -> "requested changes";
                        default -> "commented";
                    }
                    + (verdict.counterPatch() == null ? "" : ", with a counter-patch")
                    + " in round " + verdict.round();
            moments.add(new Moment(
                    state.icon(),
                    state.look().equals("dim") ? "" : state.look(),
                    orSomebody(verdict.reviewer()),
                    did,
                    verdict.reason() == null ? "" : Visible.of(verdict.reason()),
                    verdict.generation(),
                    new When(verdict.at(), now)));
        }
        Map<String, String> senders = new HashMap<>();
        events.forEach(event -> senders.put(event.message(), orSomebody(event.by())));
        for (Message message : messages) {
            String role = message.senderRole();
            String sender = senders.getOrDefault(message.id(), role);
            boolean named = !sender.equals(role);
            moments.add(new Moment(
                    "msg",
                    "",
                    named ? sender : "the " + role,
                    named ? "wrote as the " + role : "wrote",
                    Visible.of(message.body()),
                    null,
                    new When(message.at(), now)));
        }
        events.forEach(event -> moment(event, now, moments));
        moments.sort(Comparator.comparing((Moment moment) -> moment.at().at()).reversed());
        return new TimelineView(moments);
    }

    private static void moment(AuditEvent event, Instant now, List<Moment> moments) {
        String[] words = switch (event.type()) {
            case "verdict_submitted", "verdict_comment", "message_sent" -> null;
            case "review_created" -> new String[] {"reviews", "", "proposed it"};
            case "review_revised" -> new String[] {"reviews", "", "submitted the next round"};
            case "review_claimed" -> new String[] {"s-claimed", "sea", "claimed it"};
            case "review_released" -> new String[] {"retry", "", "released it"};
            case "review_reclaimed" ->
                new String[] {
                    "retry",
                    "",
                    isByAPerson(event) ? "took it from " + detail(event, "old_reviewer") : "put it back in the queue"
                };
            case "review_closed" -> new String[] {"s-closed", "ok", "closed it"};
            case "review_withdrawn" -> new String[] {"s-withdrawn", "", "withdrew it"};
            case "counter_patch_accepted" -> new String[] {"patch", "ok", "accepted the counter-patch"};
            case "counter_patch_rejected" -> new String[] {"patch", "", "rejected the counter-patch"};
            case "finding_resolved" -> new String[] {"check", "ok", "resolved " + finding(event)};
            case "finding_waived" -> new String[] {"check", "", "waived " + finding(event)};
            default -> new String[] {"events", "", event.type().replace('_', ' ')};
        };
        if (words != null) {
            moments.add(new Moment(
                    words[0],
                    words[1],
                    orSomebody(event.by()),
                    words[2],
                    isByAPerson(event) ? detail(event, "reason") : "",
                    null,
                    new When(event.at(), now)));
        }
    }

    /** Somebody has taken the review from its holder, and said why. */
    private static boolean isByAPerson(AuditEvent event) {
        return event.type().equals("review_reclaimed") && !AuditEvent.BY_ITSELF.equals(event.actor());
    }

    private static String detail(AuditEvent event, String name) {
        return event.metadata() instanceof Map<?, ?> all && all.get(name) instanceof JsonNode said
                ? Visible.of(said.asString(""))
                : "";
    }

    private static String finding(AuditEvent event) {
        return event.metadata() instanceof JsonNode json ? json.path("finding").asString("a finding") : "a finding";
    }

    private static String orSomebody(@Nullable String name) {
        return name == null ? "someone" : name;
    }
}
