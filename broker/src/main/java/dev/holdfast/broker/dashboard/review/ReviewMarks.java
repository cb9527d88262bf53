package dev.holdfast.broker.dashboard.review;

import dev.holdfast.agent.Caller;
import dev.holdfast.broker.dashboard.diff.ChangeView;
import dev.holdfast.broker.dashboard.diff.FileView;
import dev.holdfast.broker.dashboard.page.Person;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.review.reading.ProposalReader;
import dev.holdfast.review.reading.TextSlice;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** What a person records while reading: that a file was read, and what is written but not sent yet. */
public record ReviewMarks(Sources sources) {
    /**
     * Records that a file was read, in exactly the content that the page showed. Counts only for the holder, like every
     * receipt.
     */
    public Answer read(Context request, Person person, Supplier<Caller> by) {
        String id = request.pathParam("id");
        Optional<ProposalReader.Shown> found = sources.reviews().reading().proposal(id, null);
        if (found.isEmpty()) {
            return Answer.refused(RefusalCode.NOT_FOUND, "there is no review " + id);
        }
        ProposalReader.Shown shown = found.get();
        if (!shown.revision().revision().equals(request.formParam("revision"))) {
            return Answer.refused(RefusalCode.STALE, "a newer version is up for review; you read an earlier one");
        }
        if (!person.name().equals(shown.review().claimedBy())) {
            return Answer.refused(RefusalCode.NOT_HELD, "claim the review first: reading counts only for its reviewer");
        }
        if (!wasSent(shown, person)) {
            return Answer.refused(
                    RefusalCode.UNREAD, "open the review's page first: only what it has shown can be marked as read");
        }
        String text = shown.revision().toRead();
        List<FileView> files = ChangeView.of(text, false).files();
        String which = String.valueOf(request.formParam("file"));
        ReadProof proof = new ReadProof(
                person.name(), shown.revision().revision(), shown.review().generation(), text);
        String proven = request.formParam("shown");
        if (files.isEmpty()) {
            if (!proof.ofText().equals(proven)) {
                return Answer.refused(RefusalCode.UNREAD, "show the text first");
            }
            return read(shown, person, new TextSlice(null, 0, text.length(), text.length()), by);
        }
        FileView file = files.stream()
                .filter(one -> which.equals(Integer.toString(one.number())))
                .findFirst()
                .orElse(null);
        if (file == null) {
            return Answer.refused(RefusalCode.INVALID, "the diff has no such file");
        }
        if (!proof.of(file).equals(proven)) {
            return Answer.refused(RefusalCode.UNREAD, "show the lines of " + file.shown() + " first");
        }
        return read(shown, person, new TextSlice(null, file.from(), file.to(), text.length()), by);
    }

    private Answer read(ProposalReader.Shown shown, Person person, TextSlice part, Supplier<Caller> by) {
        sources.reviews().receipts().served(shown, person.name(), part, by);
        return Answer.of(Map.of("read", true));
    }

    private boolean wasSent(ProposalReader.Shown shown, Person person) {
        return sources.reviews()
                .readingState()
                .of(shown.review().id(), person.name())
                .filter(entry -> entry.sent() >= shown.review().round())
                .isPresent();
    }

    /** Saves a draft; an empty one deletes it. A proposer's agent could put a verdict into a reviewer's mouth. */
    public Answer draft(Context request, Person person, Supplier<Caller> by) {
        String id = request.pathParam("id");
        if (sources.reviews().receipts().isByProposer(id, by.get())) {
            return Answer.refused(
                    RefusalCode.FORBIDDEN,
                    "review " + id + " was proposed from here; only others write a verdict on it");
        }
        if (sources.reviews().catalogue().find(id).isEmpty()) {
            return Answer.refused(RefusalCode.NOT_FOUND, "there is no review " + id);
        }
        String said = request.formParam("draft");
        String draft = said == null || said.isBlank() ? null : Draft.checked(said);
        sources.reviews().readingState().wrote(id, person.name(), draft);
        return Answer.of(Map.of("kept", true));
    }
}
