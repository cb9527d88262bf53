package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.PostgresStore;
import dev.holdfast.testing.ChildJvm;
import dev.holdfast.testing.Programs;
import dev.holdfast.testing.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Leases are judged by the database's clock: callers may be in any time zone, use any language and have a clock that is
 * hours off.
 */
class ForeignClocksTest {
    /** @param clock the command that starts it with a wrong clock; empty: its clock is right */
    private record Caller(String zone, List<String> clock) {
        ChildJvm start(String database, Path folder) {
            String name = zone.replace('/', '-');
            return HistoryProcess.start(
                    clock,
                    List.of("-Duser.timezone=" + zone, "-Duser.language=tr", "-Duser.country=TR"),
                    database,
                    name,
                    6,
                    30,
                    folder.resolve(name));
        }
    }

    @Test
    void processes_in_other_time_zones_and_languages_agree(@TempDir Path folder) throws Exception {
        agree(
                folder,
                new Caller("Pacific/Kiritimati", List.of()),
                new Caller("America/St_Johns", List.of()),
                new Caller("Asia/Kathmandu", List.of()));
    }

    /** Only the wall clock is wrong; waits are measured by the monotonic clock. */
    @Test
    void processes_whose_clocks_are_hours_off_agree(@TempDir Path folder) throws Exception {
        Programs.assumeInstalled("faketime", "apt install faketime");
        agree(
                folder,
                new Caller("UTC", List.of()),
                new Caller("Europe/Berlin", offBy("-3h")),
                new Caller("Asia/Tokyo", offBy("+3h")));
    }

    /** Without the variable, every timed wait in the JVM would end at once and start again. */
    private static List<String> offBy(String hours) {
        return List.of("env", "FAKETIME_FORCE_MONOTONIC_FIX=0", "faketime", "--exclude-monotonic", "-f", hours);
    }

    private static void agree(Path folder, Caller... callers) throws Exception {
        String database = TestPostgres.freshDatabase();
        List<ChildJvm> processes =
                Stream.of(callers).map(caller -> caller.start(database, folder)).toList();
        for (ChildJvm process : processes) {
            assertThat(process.exitCode(120)).as(process.output()).isZero();
        }
        List<Call> calls = new ArrayList<>();
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                calls.addAll(HistoryProcess.read(file));
            }
        }
        try (PostgresStore store = PostgresStore.open(database)) {
            assertThat(HistoryCheck.broken(calls, StoreClaims.events(store))).isEmpty();
        }
    }
}
