package dev.holdfast.work;

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
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Takes out one guard of the code of work at a time, and shows that the race for work items notices each. */
class WorkGuardsTest {
    record Guard(String name, String file, Map<String, String> changes) {
        ChangedSource without() {
            return new ChangedSource(file, changes);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static final Guard ROW_LOCK = new Guard(
            "row lock of what waits",
            "work/Readiness.java",
            Map.of("transactional.lock(transaction, WorkItem.resource(dependency.item()));", ""));

    static Stream<Arguments> withoutOneGuard() {
        List<Guard> onBoth = List.of(
                new Guard(
                        "fence of a close",
                        "work/ItemClosing.java",
                        Map.of(
                                "boolean replayed = end(locked, fence, why);",
                                "boolean replayed = end(locked,"
                                        + " new Fence(locked.claimState().holder(), locked.claimState().generation()), why);")),
                new Guard(
                        "fence of an update",
                        "work/ItemUpdates.java",
                        Map.of("if (refusal.isPresent()) {", "if (refusal.isPresent() && fence.holder() == null) {")),
                new Guard(
                        "all of the dependencies",
                        "work/Readiness.java",
                        Map.of("row.waitsFor += holds ? 1 : -1;", "row.waitsFor = holds ? row.waitsFor + 1 : 0;")),
                new Guard(
                        "what is closed is done",
                        "claim/Rules.java",
                        Map.of("setFree(row, State.DONE, now);", "setFree(row, State.READY, now);")));
        return Stream.concat(
                Stream.of(Engine.values()).flatMap(engine -> onBoth.stream().map(guard -> Arguments.of(guard, engine))),
                // SQLite has one writer: there is nothing to lock
                Stream.of(Arguments.of(ROW_LOCK, Engine.POSTGRES)));
    }

    @ParameterizedTest
    @EnumSource
    void with_all_guards_nothing_is_wrong(Engine engine) throws Exception {
        assertThat(new WorkGuardHarness.Race().objection(on(engine))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("withoutOneGuard")
    void without_one_guard_the_race_objects(Guard guard, Engine engine, @TempDir Path classes) throws Exception {
        assertThat(guard.without().objection(classes, WorkGuardHarness.Race.class, on(engine)))
                .isPresent();
    }

    private static List<String> on(Engine engine) {
        return switch (engine) {
            case SQLITE -> List.of();
            case POSTGRES -> List.of(TestPostgres.freshDatabase());
        };
    }
}
