package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.cli.imports.predecessor.OldBroker;
import dev.holdfast.cli.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of the predecessor, of every age and state, brought into a broker by the command line. */
@Timeout(180)
abstract class ImportContract {
    private static final String DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    private static final String PATCH = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+c\n";

    @TempDir
    Path folder;

    Broker broker;

    abstract Settings store(Path data);

    @BeforeEach
    void start() {
        broker = Broker.start(Config.of(
                store(folder.resolve("data")).put(Setting.PORT, 0L).put(Setting.WORKSPACE, folder.toString())));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void a_review_of_every_status_comes_with_its_past() throws Exception {
        try (OldBroker old = OldBroker.in(file())) {
            everyStatus(old);
        }

        Ran ran = imported();

        assertThat(ran.exitCode()).as(ran.out() + ran.err()).isZero();
        assertThat(ran.out())
                .contains("8 reviews in ", ": 8 new, 0 updated, 0 unchanged, 0 skipped")
                .contains("with 2 messages and 9 events")
                .contains(
                        "not imported, because it belongs to no review: 1 events of reviewer processes, 1 reviewer processes");
        assertThat(status("waiting").text("status")).isEqualTo("pending");
        assertThat(status("waiting").text("priority")).isEqualTo("critical");
        assertThat(status("waiting").text("created_at")).isEqualTo("2025-03-01T10:00:00.000Z");
        assertThat(ask("list_reviews", Map.of("project", "webshop")).objects("reviews"))
                .extracting(review -> review.text("id"))
                .contains("waiting");
        assertThat(status("without-holder").text("status")).isEqualTo("in_review");
        assertThat(status("done").text("status")).isEqualTo("closed");
        assertThat(status("abandoned").text("status")).isEqualTo("pending");
        assertThat(status("sent-back").text("verdict_reason")).isEqualTo("no test");
        assertThat(status("sent-back").text("claimed_by")).isEqualTo("codex-r1-aa");
        JsonObject proposal = ask("get_proposal", Map.of("review_id", "sent-back"));
        assertThat(proposal.text("diff")).isEqualTo(DIFF);
        assertThat(proposal.text("counter_patch")).isEqualTo(PATCH);
        assertThat(proposal.number("round")).isEqualTo(2);
        assertThat(ask("get_discussion", Map.of("review_id", "sent-back")).objects("messages"))
                .extracting(message -> message.text("body"), message -> message.text("created_at"))
                .containsExactly(tuple("why?", "2025-03-01T10:00:20.000Z"), tuple("so", "2025-03-01T10:00:30.000Z"));
        assertThat(ask("get_review_timeline", Map.of("review_id", "sent-back")).objects("events"))
                .extracting(event -> event.text("event_type"), event -> event.text("timestamp"))
                .startsWith(
                        tuple("review_created", "2025-03-01T10:00:00.125Z"),
                        tuple("review_claimed", "2025-03-01T10:00:10.000Z"),
                        tuple("verdict_submitted", "2025-03-01T10:00:40.000Z"),
                        tuple("review_revised", "2025-03-01T10:01:00.000Z"));
        // its lease ran out long ago
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> "pending".equals(status("held").text("status")));
        assertThat(status("held").number("claim_generation")).isEqualTo(4);
    }

    private static void everyStatus(OldBroker old) throws SQLException {
        String at = "2025-03-01 10:00:00";
        old.review("waiting", "pending", "project", "/home/ann/Web-Shop", "priority", "critical", "created_at", at);
        old.review("held", "claimed", "claimed_by", "codex-r1-aa", "claim_generation", 3, "claimed_at", at);
        old.review("abandoned", "claimed", "claim_generation", 3);
        old.review("with-holder", "in_review", "claimed_by", "codex-r1-aa", "claim_generation", 1);
        old.review("without-holder", "in_review");
        old.review("good", "approved", "claimed_by", "codex-r1-aa", "verdict_reason", "fine", "claim_generation", 1);
        old.review("done", "closed", "claimed_by", "codex-r1-aa", "category", "code_change", "skip_diff_validation", 1);
        old.review(
                "sent-back",
                "changes_requested",
                "diff",
                DIFF,
                "current_round",
                2,
                "claimed_by",
                "codex-r1-aa",
                "claim_generation",
                2,
                "verdict_reason",
                "no test",
                "counter_patch",
                PATCH,
                "counter_patch_status",
                "pending",
                "created_at",
                at,
                "updated_at",
                "2025-03-01 10:02:00");
        old.message("m1", "sent-back", "reviewer", 1, "why?", "2025-03-01 10:00:20");
        old.message("m2", "sent-back", "proposer", 1, "so", "2025-03-01 10:00:30");
        String id = "sent-back";
        String claimed = "{\"claim_generation\": 1}";
        old.event(
                id,
                "review_created",
                "gsd-executor",
                null,
                "pending",
                "{\"intent\": \"x\"}",
                "2025-03-01T10:00:00.125Z");
        old.event(id, "review_claimed", "codex-r1-aa", "pending", "claimed", claimed, "2025-03-01T10:00:10.000Z");
        old.event(
                id,
                "verdict_submitted",
                "reviewer",
                "claimed",
                "changes_requested",
                "{\"verdict\": \"changes_requested\", \"has_counter_patch\": true, \"reviewer_id\": null}",
                "2025-03-01T10:00:40.000Z");
        old.event(
                id, "review_revised", "gsd-executor", "changes_requested", "pending", null, "2025-03-01T10:01:00.000Z");
        old.event(id, "review_claimed", "codex-r1-aa", "pending", "claimed", null, "2025-03-01T10:01:10.000Z");
        old.event(
                id,
                "verdict_submitted",
                "reviewer",
                "claimed",
                "changes_requested",
                "{\"verdict\": \"changes_requested\", \"has_counter_patch\": true}",
                "2025-03-01T10:02:00.000Z");
        old.event("good", "review_created", "x", null, "pending", "not json", "2025-03-01T10:00:00.000Z");
        old.event("good", "review_claimed", "codex-r1-aa", "pending", "claimed", claimed, "2025-03-01T10:00:00.000Z");
        old.event(
                "good",
                "verdict_submitted",
                "reviewer",
                "claimed",
                "approved",
                "{\"verdict\": \"approved\"}",
                "2025-03-01T10:00:00.000Z");
        old.event(null, "reviewer_spawned", "pool-manager", null, null, "{}", "2025-03-01T10:00:00.000Z");
        old.run("INSERT INTO reviewers (id, display_name, session_token) VALUES ('codex-r1-aa', 'codex-r1', 'aa')");
    }

    @Test
    void imported_reviews_go_on_here_where_they_stopped_there() throws Exception {
        try (OldBroker old = OldBroker.in(file())) {
            everyStatus(old);
        }
        imported();

        assertThat(ask("reject_counter_patch", Map.of("review_id", "sent-back")).text("counter_patch_status"))
                .isEqualTo("rejected");
        assertThat(ask("close_review", Map.of("review_id", "good", "closer_role", "proposer"))
                        .text("status"))
                .isEqualTo("closed");
        assertThat(ask("submit_verdict", Map.of("review_id", "without-holder", "verdict", "approved"))
                        .text("status"))
                .isEqualTo("approved");
        assertThat(ask("claim_review", Map.of("review_id", "abandoned", "reviewer_id", "ann"))
                        .number("claim_generation"))
                .isEqualTo(5);
    }

    @Test
    void the_oldest_files_have_neither_rounds_nor_events() throws Exception {
        try (OldBroker old = OldBroker.oldest(file())) {
            old.review("held", "claimed", "claimed_by", "somebody", "diff", DIFF);
            old.review("good", "approved", "claimed_by", "somebody", "verdict_reason", "fine");
        }

        assertThat(imported().exitCode()).isZero();
        assertThat(status("held").number("claim_generation")).isEqualTo(1);
        assertThat(status("good").text("verdict_reason")).isEqualTo("fine");
        assertThat(ask("get_review_stats", Map.of()).number("total_reviews")).isEqualTo(2);
    }

    @Test
    void a_second_run_brings_only_what_is_new() throws Exception {
        try (OldBroker old = OldBroker.in(file())) {
            old.review("a", "pending", "updated_at", "2025-03-01 10:00:00");
            old.review("b", "pending");
            old.review("c", "pending");
        }
        imported();
        ask("claim_review", Map.of("review_id", "b", "reviewer_id", "ann"));
        ask("claim_review", Map.of("review_id", "c", "reviewer_id", "ann"));
        try (OldBroker old = OldBroker.reopen(file())) {
            old.review("d", "pending");
            old.run("UPDATE reviews SET status = 'approved', claimed_by = 'r' WHERE id IN ('a', 'b')");
        }

        Ran dry = imported("--dry-run", "--json");
        assertThat(dry.json().text("file")).isEqualTo(file().toString());
        assertThat(status("a").text("status")).isEqualTo("pending");
        JsonObject report = imported("--json").json();

        for (JsonObject one : List.of(dry.json(), report)) {
            assertThat(one.number("imported")).isEqualTo(1);
            assertThat(one.number("updated")).isEqualTo(1);
            assertThat(one.number("unchanged")).isEqualTo(1);
            assertThat(one.number("kept")).isEqualTo(1);
            assertThat(one.objects("skipped"))
                    .singleElement()
                    .satisfies(skipped -> assertThat(skipped.text("id")).isEqualTo("b"));
        }
        assertThat(status("a").text("status")).isEqualTo("approved");
        assertThat(status("b").text("claimed_by")).isEqualTo("ann");
        assertThat(imported("--json").json().number("unchanged")).isEqualTo(3);
    }

    @Test
    void a_file_in_use_is_read_with_what_is_only_in_its_log_and_nothing_of_it_changes() throws Exception {
        try (OldBroker old = OldBroker.in(file())) {
            old.run("PRAGMA wal_autocheckpoint = 0");
            old.run("PRAGMA wal_checkpoint(TRUNCATE)");
            old.review("in-the-log", "pending");
            assertUntouched(() -> assertThat(imported().exitCode()).isZero());

            assertThat(status("in-the-log").text("status")).isEqualTo("pending");
            old.review("goes-on", "pending");
        }
    }

    @Test
    void the_file_of_a_broker_that_was_killed_is_read_with_its_log_and_nothing_of_it_changes() throws Exception {
        Path other = folder.resolve("other.sqlite3");
        try (OldBroker old = OldBroker.in(other)) {
            old.run("PRAGMA wal_autocheckpoint = 0");
            old.review("in-the-log", "pending");
            Files.copy(other, file());
            Files.copy(folder.resolve("other.sqlite3-wal"), beside("-wal"));
        }

        assertUntouched(() -> assertThat(imported().exitCode()).isZero());
        assertThat(status("in-the-log").text("status")).isEqualTo("pending");
        assertThat(beside("-shm")).doesNotExist();
    }

    @Test
    void a_file_at_rest_stays_alone() throws Exception {
        try (OldBroker old = OldBroker.in(file())) {
            old.review("a", "pending");
        }
        assertThat(beside("-wal")).doesNotExist();

        assertUntouched(() -> assertThat(imported().exitCode()).isZero());
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(path -> path.getFileName().toString().startsWith("reviews.sqlite3")))
                    .hasSize(1);
        }
    }

    @Test
    void what_is_no_such_file_is_said_and_nothing_is_changed() throws Exception {
        Path text = Files.writeString(
                folder.resolve("text"), "this is a text, long enough to be a file header of SQLite\n");
        Path other = folder.resolve("other.sqlite3");
        try (OldBroker old = OldBroker.reopen(other)) {
            old.run("CREATE TABLE recipes (id TEXT)");
        }
        Path newer = folder.resolve("newer.sqlite3");
        try (OldBroker old = OldBroker.in(newer)) {
            old.run("ALTER TABLE reviews ADD COLUMN severity TEXT");
            old.review("a", "pending");
        }
        Path damaged = folder.resolve("damaged.sqlite3");
        try (OldBroker old = OldBroker.in(damaged)) {
            for (int i = 0; i < 200; i++) {
                old.review("r" + i, "pending", "description", "x".repeat(500));
            }
        }
        byte[] bytes = Files.readAllBytes(damaged);
        Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 20_000, (byte) 7);
        Files.write(damaged, bytes);

        assertRefused(folder.resolve("missing"), ": no such file");
        assertRefused(folder, "is a folder");
        assertRefused(text, "is not an SQLite database");
        assertRefused(Files.createFile(folder.resolve("empty")), "has no reviews table");
        assertRefused(other, "has no reviews table");
        assertRefused(newer, "newer gsd-review-broker than this import supports: its reviews table has severity");
        assertRefused(damaged, "is damaged");
        if (Files.exists(folder.resolve("data/holdfast.sqlite3"))) {
            assertRefused(folder.resolve("data/holdfast.sqlite3"), "lacks claimed_by");
        }
        assertThat(ask("list_reviews", Map.of()).objects("reviews")).isEmpty();
    }

    private void assertRefused(Path file, String text) {
        Ran ran = Ran.command(Map.of("HOLDFAST_URL", broker.url()), "import", "gsd-review-broker", file.toString());
        assertThat(ran.exitCode()).as(ran.out() + ran.err()).isEqualTo(2);
        assertThat(ran.err()).contains(text, "nothing was imported");
    }

    @Test
    void reviews_that_cannot_be_kept_here_are_named_and_the_others_come() throws Exception {
        try (OldBroker old = OldBroker.in(file())) {
            old.review("a", "pending");
            old.review("no-time", "pending", "created_at", "yesterday");
            old.review("too-long", "pending", "description", "x".repeat(300_000));
            old.review("nul", "pending", "description", "a\0b");
            old.review("z", "pending");
        }

        Ran ran = imported("--json");

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.json().number("imported")).isEqualTo(2);
        assertThat(ran.json().objects("skipped"))
                .extracting(one -> one.text("id"))
                .containsExactlyInAnyOrder("no-time", "too-long", "nul");
        assertThat(ran.out()).contains("'yesterday' is not a time", "200000 characters", "NUL");
    }

    @Test
    void without_a_broker_the_exit_code_is_7() throws Exception {
        try (OldBroker old = OldBroker.in(file())) {
            old.review("a", "pending");
        }
        broker.close();

        assertThat(imported().exitCode()).isEqualTo(7);
    }

    private interface Step {
        void take() throws Exception;
    }

    private void assertUntouched(Step step) throws Exception {
        List<Path> files = List.of(file(), beside("-wal"));
        for (Path one : files) {
            if (Files.exists(one)) {
                Files.setLastModifiedTime(one, FileTime.fromMillis(1_700_000_000_000L));
            }
        }
        byte[] before = Files.readAllBytes(file());
        byte[] logBefore = Files.exists(beside("-wal")) ? Files.readAllBytes(beside("-wal")) : new byte[0];
        step.take();
        assertThat(Files.readAllBytes(file())).isEqualTo(before);
        assertThat(Files.getLastModifiedTime(file()).toMillis()).isEqualTo(1_700_000_000_000L);
        if (logBefore.length > 0) {
            assertThat(Files.readAllBytes(beside("-wal"))).isEqualTo(logBefore);
            assertThat(Files.getLastModifiedTime(beside("-wal")).toMillis()).isEqualTo(1_700_000_000_000L);
        }
    }

    private Path file() {
        return folder.resolve("reviews.sqlite3");
    }

    private Path beside(String suffix) {
        return folder.resolve("reviews.sqlite3" + suffix);
    }

    private Ran imported(String... options) throws IOException {
        String[] words = Stream.concat(Stream.of("import", "gsd-review-broker", file().toString()), Stream.of(options))
                .toArray(String[]::new);
        return Ran.command(Map.of("HOLDFAST_URL", broker.url()), words);
    }

    private JsonObject status(String id) {
        return ask("get_review_status", Map.of("review_id", id));
    }

    private JsonObject ask(String verb, Map<String, ?> input) {
        return Ran.door(broker.url()).call(verb, input).json();
    }
}
