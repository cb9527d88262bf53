package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.PostgresStore;
import dev.holdfast.testing.ChildJvm;
import dev.holdfast.testing.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases are judged by the database's clock: callers may live in any time zone and speak any language. */
class ForeignClocksTest {
    @Test
    void processes_in_other_time_zones_and_languages_agree(@TempDir Path folder) throws Exception {
        String database = TestPostgres.freshDatabase();
        List<ChildJvm> processes = new ArrayList<>();
        for (String zone : List.of("Pacific/Kiritimati", "America/St_Johns", "Asia/Kathmandu")) {
            String name = zone.replace('/', '-');
            processes.add(ChildJvm.start(
                    HistoryProcess.class.getName(),
                    List.of(),
                    List.of("-Duser.timezone=" + zone, "-Duser.language=tr", "-Duser.country=TR"),
                    List.of(database, name, "6", "30", folder.resolve(name).toString())));
        }
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
            assertThat(HistoryCheck.broken(calls, StoreClaims.told(store))).isEmpty();
        }
    }
}
