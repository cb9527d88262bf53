package dev.holdfast.broker.verb.reviews;

import dev.holdfast.broker.verb.Field;
import dev.holdfast.claim.Text;
import org.jspecify.annotations.Nullable;

/** A file that a diff touches. Describes what is stored as JSON and returned unchanged. */
record AffectedFileJson(
        @Field(value = "the file", longest = Text.LONGEST_NOTE)
        String path,

        @Field(value = "create, delete, modify, rename or copy", longest = 20)
        String operation,

        @Field("lines added") long added,
        @Field("lines removed") long removed,

        @Field(value = "where it came from", longest = Text.LONGEST_NOTE) @Nullable
        String oldPath,

        @Field(value = "its mode before", longest = 20) @Nullable
        String oldMode,

        @Field(value = "its mode after", longest = 20) @Nullable
        String newMode,

        @Field("it is not text") @Nullable Boolean binary) {}
