package dev.holdfast.claim;

import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestStore;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;

/** SQLite answers every sequence of calls as the model does. */
class SqliteClaimsProperties extends ClaimSequences {
    private static final TestStore STORE = TestStore.settable(Engine.SQLITE);

    @AfterContainer
    static void close() {
        STORE.close();
    }

    @Property(tries = 300, shrinking = ShrinkingMode.FULL)
    void any_sequence_of_calls_is_answered_as_by_the_model(@ForAll("sequences") List<Step> steps) {
        assertSameAnswers(steps, STORE);
    }

    @Property(tries = 20_000, shrinking = ShrinkingMode.FULL)
    @Tag("heavy")
    void very_many_sequences_are_answered_as_by_the_model(@ForAll("sequences") List<Step> steps) {
        assertSameAnswers(steps, STORE);
    }
}
