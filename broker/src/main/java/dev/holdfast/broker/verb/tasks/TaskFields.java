package dev.holdfast.broker.verb.tasks;

import dev.holdfast.broker.verb.Field;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Text;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Fields that the task verbs share. */
final class TaskFields {
    static final int LONGEST_NAME = 500;
    static final int LONGEST_KEY = 100;
    static final int MAX_STEPS = 10_000;

    static final String POLICY =
            "when it may end: all_succeeded (every step has ended; complete if none failed), all_settled (the "
                    + "same; complete even if some failed), fail_fast (at the first failure)";

    private TaskFields() {}

    @Field(value = "the task", idOf = Kind.FINALIZATION)
    @Retention(RetentionPolicy.RUNTIME)
    @interface TaskId {}

    @Field(value = "the step, as in its claim", longest = Text.LONGEST_HOLDER + LONGEST_KEY, idOf = Kind.STEP)
    @Retention(RetentionPolicy.RUNTIME)
    @interface StepId {}

    @Field("the generation of your claim")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Generation {}

    @Field("only of this namespace")
    @Retention(RetentionPolicy.RUNTIME)
    @interface OfNamespace {}

    static @Nullable String text(@Nullable JsonNode json) {
        return json == null ? null : json.toString();
    }

    static @Nullable JsonNode json(@Nullable String text) {
        return text == null ? null : JsonMapper.shared().readTree(text);
    }
}
