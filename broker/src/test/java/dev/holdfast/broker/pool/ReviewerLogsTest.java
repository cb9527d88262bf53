package dev.holdfast.broker.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReviewerLogsTest {
    private static final Instant LONG_AGO = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void the_oldest_go_whole_until_the_rest_has_room() throws IOException {
        log("a-r1-1", 1, 400);
        older("a-r1-1", 0, 400);
        log("a-r2-1", 2, 300);
        log("a-r3-1", 3, 300);
        tidy(600);
        assertThat(kept()).containsExactlyInAnyOrder("reviewer-a-r2-1.jsonl", "reviewer-a-r3-1.jsonl");
    }

    @Test
    void one_that_rotated_is_as_old_as_what_it_wrote_last() throws IOException {
        log("a-r1-1", 9, 100);
        older("a-r1-1", 0, 400);
        log("a-r2-1", 5, 300);
        tidy(600);
        assertThat(kept()).containsExactlyInAnyOrder("reviewer-a-r1-1.jsonl", "reviewer-a-r1-1.jsonl.1");
    }

    @Test
    void those_that_run_stay_however_large_they_are() throws IOException {
        log("a-r1-1", 1, 2_000);
        log("a-r2-1", 2, 10);
        tidy(600, "a-r1-1");
        assertThat(kept()).containsExactly("reviewer-a-r1-1.jsonl");
    }

    @Test
    void nothing_goes_as_long_as_there_is_room_and_strange_files_never() throws IOException {
        Files.writeString(folder.resolve("notes.txt"), "x".repeat(5_000));
        Files.writeString(folder.resolve("reviewer-notes.txt"), "x".repeat(5_000));
        log("a-r1-1", 1, 600);
        tidy(600);
        assertThat(kept()).hasSize(3);
        tidy(1);
        assertThat(kept()).containsExactlyInAnyOrder("notes.txt", "reviewer-notes.txt");
    }

    @Test
    void there_are_never_too_many_however_short_they_are() throws IOException {
        for (int i = 0; i < ReviewerLogs.MAX + 3; i++) {
            log("a-r" + i + "-1", i, 1);
        }
        tidy(1_000_000);
        assertThat(kept())
                .hasSize(ReviewerLogs.MAX)
                .doesNotContain("reviewer-a-r0-1.jsonl", "reviewer-a-r2-1.jsonl")
                .contains("reviewer-a-r3-1.jsonl");
    }

    @Test
    void a_record_of_a_whole_second_has_its_milliseconds_too() throws IOException {
        try (ReviewerLog log =
                new ReviewerLog(folder, "a-r1-1", "s", Clock.fixed(LONG_AGO, ZoneOffset.UTC), ReviewerLog.FULL)) {
            log.event("reviewer_started", Map.of());
        }
        assertThat(ReviewerLog.file(folder, "a-r1-1")).content().contains("\"ts\":\"2026-01-01T00:00:00.000Z\"");
    }

    @Test
    void a_folder_that_is_not_there_yet_is_tidy() {
        new ReviewerLogs(folder.resolve("none"), 1, Clock.systemUTC()).tidy((_, _) -> true);
        assertThat(folder.resolve("none")).doesNotExist();
    }

    private void tidy(long bytes, String... running) {
        Set<String> stay = new HashSet<>(List.of(running));
        new ReviewerLogs(folder, bytes, Clock.systemUTC()).tidy((reviewer, _) -> !stay.contains(reviewer));
    }

    private void log(String reviewer, int age, int bytes) throws IOException {
        file(ReviewerLog.file(folder, reviewer), age, bytes);
    }

    private void older(String reviewer, int age, int bytes) throws IOException {
        file(folder.resolve("reviewer-" + reviewer + ".jsonl.1"), age, bytes);
    }

    private static void file(Path file, int age, int bytes) throws IOException {
        Files.writeString(file, "x".repeat(bytes));
        Files.setLastModifiedTime(file, FileTime.from(LONG_AGO.plusSeconds(age)));
    }

    private List<String> kept() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
