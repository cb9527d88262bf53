package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.Engine;
import dev.holdfast.testing.ChangedSource;
import dev.holdfast.testing.TestPostgres;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Takes out one guard of receipts at a time, and shows that then something is approved that was not read. */
class ReadingGuardsTest {
    record Guard(String name, String file, Map<String, String> changes) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Guard> guards() {
        return Stream.of(
                new Guard(
                        "an approval is held against its receipt",
                        "review/verdict/Verdicts.java",
                        Map.of("receipts.checkApproval(read);", "")),
                new Guard(
                        "the whole is needed",
                        "review/reading/Ranges.java",
                        Map.of("if (next < whole) {", "if (next == 0 && next < whole) {")),
                new Guard(
                        "a receipt is of one claim",
                        "review/reading/ReceiptTable.java",
                        Map.of("generation = :generation", "generation <= :generation")),
                new Guard(
                        "a receipt is of one content",
                        "review/reading/ReceiptTable.java",
                        Map.of("number = :number", "number <= :number")),
                new Guard(
                        "only the holder reads for itself",
                        "review/reading/Receipts.java",
                        Map.of(
                                "if (review.status() == ReviewStatus.CLAIMED && !reader.equals(review.claimedBy())) {",
                                "if (review.claimedBy() == null) {",
                                "Served served = Served.of(review.id(), shown.revision(), reader, part);",
                                "Served served = Served.of(review.id(), shown.revision(), review.claimedBy(), part);")));
    }

    @ParameterizedTest
    @EnumSource
    void with_all_guards_nothing_unread_is_approved(Engine engine) throws Exception {
        List<String> database = switch (engine) {
            case SQLITE -> List.of();
            case POSTGRES -> List.of(TestPostgres.freshDatabase());
        };
        assertThat(new ReadingGuardHarness.Attempts().objection(database)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("guards")
    void without_one_guard_something_unread_is_approved(Guard guard, @TempDir Path classes) throws Exception {
        assertThat(new ChangedSource(guard.file(), guard.changes())
                        .objection(classes, ReadingGuardHarness.Attempts.class, List.of()))
                .isPresent();
    }
}
