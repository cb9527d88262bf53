package dev.holdfast.broker.mcp;

import dev.holdfast.agent.Caller;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.discussion.Message;
import dev.holdfast.review.reading.ProposalReader;
import dev.holdfast.review.reading.TextSlice;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.Revision;
import dev.holdfast.review.record.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Renders reviews as text that a person gives to a model. Everything that agents wrote is quoted, including names and
 * files.
 *
 * @param marks supplies unguessable texts, a new one each time
 */
record ReviewPages(Reviews reviews, Supplier<String> marks) {
    private static final int MAX_MESSAGES = 100;

    /**
     * A review's state and description; empty when it does not exist. Without a diff, that is all there is.
     *
     * @param reader null: not given
     * @param by who asks for it
     */
    Optional<String> review(String id, @Nullable String reader, Supplier<Caller> by) {
        return reviews.reading().proposal(id, null).map(shown -> {
            reviews.receipts().served(shown, reader, TextSlice.NONE, by);
            Review review = shown.review();
            Quotation quotation = new Quotation(marks.get());
            String address = ReviewUri.of(id).toString();
            return "Review " + id + " is " + review.status() + ", in round " + review.round() + ", revision "
                    + review.revision() + ".\nIts rounds, with diffs, verdicts and messages: "
                    + IntStream.rangeClosed(1, review.round())
                            .mapToObj(round -> address + "/rounds/" + round)
                            .collect(Collectors.joining(", "))
                    + ".\n" + quotation.explained()
                    + quotation.of("intent", review.intent())
                    + quotation.of("about", about(review))
                    + quotation.of("description", shown.revision().description())
                    + quotation.of("files", shown.revision().affectedFiles())
                    + quotation.of("reason of the last verdict", review.verdictReason());
        });
    }

    /**
     * One round: its last content, verdicts and messages.
     *
     * @param reader null: not given
     * @param by who asks for it
     * @throws dev.holdfast.claim.RefusedException when the review has no such round
     */
    Optional<String> round(String id, long round, @Nullable String reader, Supplier<Caller> by) {
        return reviews.reading().proposal(id, round).map(shown -> {
            TextSlice whole = TextSlice.of(shown.revision().diff(), 0, Integer.MAX_VALUE);
            reviews.receipts().served(shown, reader, whole, by);
            Revision revision = shown.revision();
            Quotation quotation = new Quotation(marks.get());
            Page<Message> said = reviews.discussion().read(id, round, new Page.Request(MAX_MESSAGES, null));
            return "Round " + round + " of " + shown.review().round() + " of review " + id + ", which is "
                    + shown.review().status() + ". Revision " + revision.revision() + ", from a "
                    + revision.source().replace('_', '-') + ".\n" + quotation.explained()
                    + quotation.of("intent", revision.intent())
                    + quotation.of("description", revision.description())
                    + quotation.of("diff", revision.diff())
                    + verdicts(shown, quotation)
                    + findings(shown, quotation)
                    + messages(said.entries(), quotation)
                    + (said.next() == null ? "" : "\nThere are more messages: get_discussion has them.\n");
        });
    }

    private static String about(Review review) {
        return line("project", review.project())
                + line("category", review.category())
                + line("priority", review.priority())
                + line("phase", review.phase())
                + line("plan", review.plan())
                + line("task", review.task())
                + line("proposed by", review.agentType())
                + line("reviewer", review.claimedBy());
    }

    private static String line(String name, @Nullable String text) {
        return text == null ? "" : name + ": " + text + "\n";
    }

    private static String verdicts(ProposalReader.Shown shown, Quotation quotation) {
        return shown.verdicts().stream()
                .filter(verdict -> verdict.round() == shown.revision().round())
                .map(verdict -> "\nVerdict: " + verdict.verdict() + " on revision " + verdict.revision() + ".\n"
                        + quotation.of("reviewer", verdict.reviewer())
                        + quotation.of("reason", verdict.reason())
                        + counterPatch(verdict, quotation))
                .collect(Collectors.joining());
    }

    private static String counterPatch(Verdict verdict, Quotation quotation) {
        return verdict.counterPatch() == null
                ? ""
                : quotation.of("counter-patch", verdict.counterPatch()) + "The counter-patch is "
                        + verdict.counterPatchStatus() + ".\n";
    }

    /** The findings of this round, and earlier ones that still stand. */
    private static String findings(ProposalReader.Shown shown, Quotation quotation) {
        int round = shown.revision().round();
        return shown.findings().stream()
                .filter(finding -> finding.round() == round || (finding.round() < round && finding.stands()))
                .map(finding -> "\nFinding " + finding.id() + " (" + finding.severity() + ", " + finding.state()
                        + "), raised in round " + finding.round() + ".\n"
                        + quotation.of(
                                "place",
                                finding.place()
                                        + (finding.ofWholeFile() ? ", the whole file" : ": " + finding.excerpt()))
                        + quotation.of("reviewer", finding.raisedBy())
                        + quotation.of("finding", finding.message())
                        + quotation.of("suggestion", finding.suggestion()))
                .collect(Collectors.joining());
    }

    private static String messages(List<Message> messages, Quotation quotation) {
        return messages.stream()
                .map(message -> quotation.of("message of the " + message.senderRole(), message.body()))
                .collect(Collectors.joining());
    }
}
