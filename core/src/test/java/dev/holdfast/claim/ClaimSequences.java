package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testing.TestStore;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Provide;

/** Random sequences of all operations; for the properties of each store. */
abstract class ClaimSequences {
    @Provide
    Arbitrary<List<Step>> sequences() {
        Arbitrary<List<Step>> made =
                Arbitraries.randomValue(random -> new RandomSteps(random).sequence(RandomSteps.THINGS.size()));
        Arbitrary<List<Step>> rest = Arbitraries.<Step>randomValue(random -> new RandomSteps(random).next())
                .list()
                .ofMinSize(1)
                .ofMaxSize(60);
        return Combinators.combine(made, rest)
                .as((first, then) ->
                        Stream.concat(first.stream(), then.stream()).toList());
    }

    static void assertSameAnswers(List<Step> steps, TestStore store) {
        store.empty();
        try (StoreClaims subject = StoreClaims.on(store)) {
            assertThat(Comparison.firstDifference(steps, subject)).isEmpty();
        }
    }
}
