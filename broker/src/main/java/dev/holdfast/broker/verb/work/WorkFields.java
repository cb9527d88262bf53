package dev.holdfast.broker.verb.work;

import dev.holdfast.broker.verb.Field;
import dev.holdfast.claim.Kind;
import dev.holdfast.work.WorkLimits;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Fields that the work verbs share. */
final class WorkFields {
    static final int LONGEST_PATH = 1_000;

    /** A reference only: results contain the whole item, whose description would appear in a dozen schemas. */
    static final String ITEM = "the item, as in get_work";

    private WorkFields() {}

    @Field(value = "the item", idOf = Kind.WORK, example = "hf-3k9x")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Id {}

    @Field("only of this queue")
    @Retention(RetentionPolicy.RUNTIME)
    @interface OfQueue {}

    @Field(value = "only of this type, such as bug", longest = WorkLimits.LONGEST_TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface OfType {}

    @Field("only items with all of these labels")
    @Retention(RetentionPolicy.RUNTIME)
    @interface WithLabels {}

    @Field("the generation of your claim on the item")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Generation {}

    @Field(value = "your agent id; required if you hold the item", actor = true)
    @Retention(RetentionPolicy.RUNTIME)
    @interface MaybeHolder {}
}
