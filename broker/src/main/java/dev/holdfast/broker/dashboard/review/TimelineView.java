package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.VisibleText;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.review.queue.OverdueReviews;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a review, newest first: verdicts, messages, and who held it when, in one list.
 *
 * @param newest where the newest part is shown; empty: here
 * @param older where the next older part is shown; empty: there is none
 */
public record TimelineView(List<Moment> moments, String newest, String older) {
    /** @param say what somebody wrote; empty: nothing */
    public record Moment(
            String icon,
            String look,
            String who,
            String did,
            String say,
            @Nullable Long generation,
            When at) {}

    static TimelineView of(TimelinePage past, boolean isNewest, ReviewAddress address, Instant now) {
        List<Moment> moments = new ArrayList<>();
        for (Verdict verdict : past.verdicts()) {
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
                    verdict.reason() == null ? "" : VisibleText.of(verdict.reason()),
                    verdict.generation(),
                    new When(verdict.at(), now)));
        }
        for (DiscussionMessage said : DiscussionMessage.of(past.messages(), past.events())) {
            String did = said.finding().isEmpty() ? "wrote" : "answered " + VisibleText.of(said.finding());
            moments.add(new Moment(
                    "msg",
                    "",
                    said.named() ? said.who() : "the " + said.role(),
                    said.named() ? did + " as the " + said.role() : did,
                    said.text(),
                    null,
                    new When(said.at(), now)));
        }
        past.events().forEach(event -> moment(event, now, moments));
        moments.sort(Comparator.comparing((Moment moment) -> moment.at().at()).reversed());
        return new TimelineView(
                moments, isNewest ? "" : address.path(), past.older() == null ? "" : address.past(past.older()));
    }

    private static void moment(AuditEvent event, Instant now, List<Moment> moments) {
        String[] words = switch (event.type()) {
            case "verdict_submitted", "verdict_comment", "message_sent" -> null;
            case "review_created" -> new String[] {"reviews", "", "proposed it"};
            case "review_revised" -> new String[] {"reviews", "", revised(event) + loser(event)};
            case "review_claimed" -> new String[] {"s-claimed", "sea", "claimed it"};
            case "review_released" -> new String[] {"retry", "", "released it"};
            case "review_reclaimed" -> new String[] {"retry", "", reclaimed(event)};
            case "review_closed" -> new String[] {"s-closed", "ok", "closed it"};
            case "review_withdrawn" -> new String[] {"s-withdrawn", "", "withdrew it" + loser(event)};
            case "counter_patch_accepted" -> new String[] {"patch", "ok", "accepted the counter-patch"};
            case "counter_patch_rejected" -> new String[] {"patch", "", "rejected the counter-patch"};
            case "finding_resolved" -> new String[] {"check", "ok", "resolved " + event.text("finding")};
            case "finding_waived" -> new String[] {"check", "", "waived " + event.text("finding")};
            default -> new String[] {"events", "", event.type().replace('_', ' ')};
        };
        if (words != null) {
            moments.add(new Moment(
                    words[0],
                    words[1],
                    who(event),
                    words[2],
                    isTaken(event) ? VisibleText.of(event.text("reason")) : "",
                    null,
                    new When(event.at(), now)));
        }
    }

    /** Whether somebody took the review from its holder and said why. */
    private static boolean isTaken(AuditEvent event) {
        return event.type().equals("review_reclaimed")
                && !AuditEvent.BY_ITSELF.equals(event.actor())
                && !fencedOut(event).isEmpty();
    }

    /** How a review came back into the queue: taken from its holder, freed by the broker, or sent back unchanged. */
    private static String reclaimed(AuditEvent event) {
        if (isTaken(event)) {
            return "took it from " + fencedOut(event);
        }
        String why = switch (event.text("reason")) {
            case "claim_timeout" -> holders(event) + "lease expired";
            case OverdueReviews.REASON -> holders(event) + "claim lasted too long";
            case "stale_session" -> fencedOut(event) + " was gone after a restart";
            case "reviewer_process_exit" -> fencedOut(event) + " ended";
            case "proposer_message" -> "answered without a new round";
            case "counter_patch_accepted" -> "the counter-patch needs a verdict";
            default -> "";
        };
        return "put it back in the queue" + (why.isEmpty() ? "" : ": " + why);
    }

    private static String holders(AuditEvent event) {
        return fencedOut(event).isEmpty() ? "the " : fencedOut(event) + "’s ";
    }

    private static String who(AuditEvent event) {
        String by = orSomebody(event.by());
        return switch (by) {
            case AuditEvent.BY_ITSELF -> "the broker";
            case "proposer", "reviewer" -> "the " + by;
            default -> by;
        };
    }

    private static String revised(AuditEvent event) {
        return "submitted round " + event.text("round");
    }

    private static String fencedOut(AuditEvent event) {
        return VisibleText.of(event.text(AuditEvent.FENCED_OUT));
    }

    /** Names the reviewer who lost the claim through this event. */
    private static String loser(AuditEvent event) {
        return fencedOut(event).isEmpty() ? "" : "; " + fencedOut(event) + " lost the claim to it";
    }

    /** Who ended a claim, and how. */
    static String why(AuditEvent event) {
        String who = who(event);
        return switch (event.type()) {
            case "review_revised" -> who + " " + revised(event) + " while you were reviewing";
            case "review_withdrawn" -> who + " withdrew the review";
            case "review_claimed" -> "your lease had expired, and " + who + " took the review over";
            default ->
                isTaken(event)
                        ? who + " took the review back: " + VisibleText.of(event.text("reason"))
                        : "the review was put back in the queue";
        };
    }

    private static String orSomebody(@Nullable String name) {
        return name == null ? "someone" : name;
    }
}
