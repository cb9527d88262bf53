package dev.holdfast.broker.verb;

import dev.holdfast.claim.Text;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Fields that verbs of several families share. */
public final class CommonFields {
    /** A kind, a colon and an id. */
    public static final int LONGEST_RESOURCE = Text.LONGEST_ID_BYTES + 16;

    private CommonFields() {}

    /** The caller's name. */
    @Field(value = "your agent id, as start_session gave it", actor = true, example = "claude-3fa91c")
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Holder {}

    /** Makes a claim safe to repeat. */
    @Field("new for each claim; a retry with it gets the same grant")
    @Retention(RetentionPolicy.RUNTIME)
    public @interface RequestId {}

    /** How long the page may be. */
    @Field(value = "at most this many (default {page})", min = 1, upTo = Limit.PAGE)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface PageSize {}

    /** Where the page begins. */
    @Field("next_cursor of the previous page")
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Cursor {}

    /** Where the next page begins. */
    @Field("pass this as cursor for the next page")
    @Retention(RetentionPolicy.RUNTIME)
    public @interface NextCursor {}
}
