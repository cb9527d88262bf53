package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.config.JsonProblem;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Shape;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import dev.holdfast.review.diff.Side;
import dev.holdfast.review.finding.Remarks;
import dev.holdfast.review.finding.Severity;
import dev.holdfast.review.reading.ReadingState;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** What a person has written but not sent, as the script of the review's page saves it and reads it again. */
record Draft(
        @Field(value = "of the verdict", longest = ReadingState.LONGEST_DRAFT) @Nullable
        String reason,

        @Field(value = "on lines and files", max = Remarks.MAX_AT_ONCE)
        List<Comment> comments,

        @Field(value = "ids of findings", max = Remarks.MAX_AT_ONCE, longest = 20)
        Set<String> resolved,

        @Field(value = "findings", max = Remarks.MAX_AT_ONCE)
        List<Waived> waived) {
    private static final Shape<Draft> SHAPE = Shapes.withoutBounds().arguments(Draft.class);

    /**
     * A comment that becomes a finding.
     *
     * @param line 0: it is about the whole file
     * @param start null: it is about one line, or the whole file
     * @param text the beginning of the line
     * @param revision the version that has this line
     */
    record Comment(
            @Field(value = "the file", longest = Remarks.LONGEST_PATH, filled = true)
            String path,

            @Field(value = "its line", max = Integer.MAX_VALUE)
            int line,

            @Field(value = "the first of its lines", max = Integer.MAX_VALUE) @Nullable
            Integer start,

            @Field("old or new") Side side,

            @Field(value = "the line's text", longest = 400) @Nullable
            String text,

            @Field("the version that has this line") @Nullable
            String revision,

            @Field("how serious it is") Severity severity,

            @Field(value = "what is wrong", longest = Remarks.LONGEST_MESSAGE, filled = true)
            String message) {}

    record Waived(
            @Field(value = "of the finding", longest = 20, filled = true)
            String id,

            @Field(value = "why", longest = Remarks.LONGEST_MESSAGE, filled = true)
            String reason) {}

    /** @throws InvalidException when this is not a draft */
    static String checked(String json) {
        Text.limited("draft", json, ReadingState.LONGEST_DRAFT);
        try {
            SHAPE.read(JsonMapper.shared().readTree(json));
            return json;
        } catch (JacksonException e) {
            throw new InvalidException("draft is not JSON: " + JsonProblem.of(e));
        }
    }
}
