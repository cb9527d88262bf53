package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.claim.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Work over HTTP: every refusal with its own code, and what each verb tells. */
abstract class WorkContract extends OnBroker {
    @Override
    protected Settings settings() {
        return new Settings().put(Setting.MAX_PER_AGENT, 2L);
    }

    private String create(Object... arguments) {
        Reply reply = caller.call("create_work", arguments);
        assertThat(reply.status()).isEqualTo(200);
        return reply.body().at("/item/id").asString();
    }

    private long claim(String id, String holder) {
        Reply reply = caller.call("claim_work", "id", id, "holder", holder);
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
        return reply.body().at("/claim/claim_generation").asLong();
    }

    @Test
    void a_list_shows_the_beginning_of_a_long_reason_and_the_item_itself_all_of_it() {
        String id =
                caller.call("create_work", "title", "one").body().at("/item/id").asString();
        String reason = "waits for: " + "x".repeat(100_000);
        assertThat(caller.call("update_work", "id", id, "status", "blocked", "reason", reason)
                        .status())
                .isEqualTo(200);
        for (String list : List.of("blocked_work", "list_work")) {
            assertThat(caller.call(list).body().at("/items/0/blocked_reason").asString())
                    .as(list)
                    .isEqualTo(reason.substring(0, 500));
        }
        assertThat(caller.call("get_work", "id", id).text("blocked_reason")).isEqualTo(reason);
    }

    @Test
    void an_item_is_planned_taken_noted_closed_and_what_waited_for_it_comes_next() {
        String first =
                create("title", "first", "labels", List.of("java"), "metadata", Map.of("points", 3), "queue", "shop");
        String second = create("title", "second", "depends_on", List.of(first), "queue", "shop");
        assertThat(caller.call("blocked_work")
                        .body()
                        .at("/items/0/blocked_by/0")
                        .asString())
                .isEqualTo(first);
        assertThat(caller.call("ready_work", "labels", List.of("java"))
                        .body()
                        .at("/items/0/id")
                        .asString())
                .isEqualTo(first);
        Reply taken = caller.call("claim_next_work", "holder", "ann", "queue", "shop", "type", "task");
        assertThat(taken.body().at("/item/id").asString()).isEqualTo(first);
        assertThat(taken.body().at("/item/status").asString()).isEqualTo("in_progress");
        assertThat(taken.body().at("/item/metadata/points").asInt()).isEqualTo(3);
        long generation = taken.body().at("/claim/claim_generation").asLong();
        Reply noted = caller.call(
                "update_work", "id", first, "holder", "ann", "claim_generation", generation, "note", "half done");
        assertThat(noted.body().at("/item/note").asString()).isEqualTo("half done");
        Reply who = caller.call("who", "kind", "work");
        assertThat(who.body().at("/holders/0/claims/0/title").asString()).isEqualTo("first");
        assertThat(who.body().at("/holders/0/claims/0/attempts").asInt()).isZero();
        Reply closed = caller.call(
                "close_work",
                "id",
                first,
                "holder",
                "ann",
                "claim_generation",
                generation,
                "reason",
                "merged",
                "next",
                Map.of());
        assertThat(closed.body().at("/item/status").asString()).isEqualTo("closed");
        assertThat(closed.body().at("/next/item/id").asString()).isEqualTo(second);
        assertThat(caller.call("list_work", "status", "closed")
                        .body()
                        .at("/items/0/id")
                        .asString())
                .isEqualTo(first);
        assertThat(caller.call("claim_next_work", "holder", "bob")
                        .body()
                        .path("item")
                        .isNull())
                .isTrue();
    }

    @Test
    void conflict_not_claimable_not_found_lost_and_invalid_are_told_apart() {
        String id = create("title", "a");
        String blocked = create("title", "b", "depends_on", List.of(id));
        long generation = claim(id, "ann");
        assertCode(caller.call("claim_work", "id", id, "holder", "bob"), 409, "held");
        assertCode(caller.call("claim_work", "id", blocked, "holder", "bob"), 409, "not_claimable");
        assertCode(caller.call("claim_work", "id", "hf-none", "holder", "bob"), 404, "not_found");
        assertCode(caller.call("update_work", "id", id, "status", "in_progress"), 400, "invalid");
        assertCode(caller.call("update_work", "id", id, "title", "x"), 412, "fence_missing");
        assertCode(caller.call("add_dependency", "id", id, "depends_on", blocked), 409, "bad_state");
        broker.claims().reclaim(dev.holdfast.claim.Resource.parse("work:" + id), generation, "taken for dead");
        claim(id, "bob");
        for (Reply reply : List.of(
                caller.call("heartbeat", "resource", "work:" + id, "holder", "ann", "claim_generation", generation),
                caller.call("update_work", "id", id, "holder", "ann", "claim_generation", generation, "title", "x"),
                caller.call("close_work", "id", id, "holder", "ann", "claim_generation", generation),
                caller.call("release", "resource", "work:" + id, "holder", "ann", "claim_generation", generation))) {
            assertCode(reply, 412, "lost");
            assertThat(reply.text("holder")).isEqualTo("bob");
            assertThat(reply.text("error")).contains("bob holds it now");
        }
    }

    private static void assertCode(Reply reply, int status, String code) {
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(status);
        assertThat(reply.text("code")).isEqualTo(code);
    }

    @Test
    void an_agent_has_at_most_as_many_as_configured_whichever_verb_it_uses() {
        List<String> ids = List.of(create("title", "a"), create("title", "b"), create("title", "c"));
        claim(ids.get(0), "ann");
        claim(ids.get(1), "ann");
        assertCode(caller.call("claim_work", "id", ids.get(2), "holder", "ann"), 409, "not_claimable");
        // with an id of its own: without one it would be given again what it has not confirmed yet
        assertCode(caller.call("claim_next_work", "holder", "ann", "request_id", "r1"), 409, "not_claimable");
        assertCode(caller.call("claim", "resource", "work:" + ids.get(2), "holder", "ann"), 409, "not_claimable");
        assertCode(
                caller.call("claim_next", "kind", "work", "holder", "ann", "request_id", "r2"), 409, "not_claimable");
        claim(ids.get(2), "bob");
    }

    @Test
    void three_failed_attempts_park_an_item() {
        String id = create("title", "hard");
        for (int i = 1; i <= 3; i++) {
            long generation = claim(id, "ann");
            Reply failed = caller.call(
                    "release",
                    "resource",
                    "work:" + id,
                    "holder",
                    "ann",
                    "claim_generation",
                    generation,
                    "failed",
                    true,
                    "note",
                    "no access");
            assertThat(failed.body().path("parked").asBoolean()).isEqualTo(i == 3);
        }
        Reply parked = caller.call("get_work", "id", id);
        assertThat(parked.text("status")).isEqualTo("blocked");
        assertThat(parked.text("blocked_reason")).contains("no access");
    }

    @Test
    void item_and_paths_are_had_together_or_not_at_all_and_others_can_ask_whose_they_are() {
        String id = create("title", "a", "queue", "shop");
        String other = create("title", "b", "queue", "shop");
        caller.call("claim_work", "id", id, "holder", "ann", "paths", List.of("src/parser", "docs/**/*.md"));
        Reply refused = caller.call("claim_work", "id", other, "holder", "bob", "paths", List.of("src/*/Lexer.java"));
        assertCode(refused, 409, "held");
        assertThat(refused.body().at("/overlaps/0/holder").asString()).isEqualTo("ann");
        assertThat(caller.call("get_work", "id", other).text("status")).isEqualTo("open");
        Reply held = caller.call("check_path", "holder", "bob", "queue", "shop", "path", "docs/a/b.md");
        assertThat(held.body().path("free").asBoolean()).isFalse();
        assertThat(held.body().at("/held_by/holder").asString()).isEqualTo("ann");
        Reply reserved = caller.call("reserve_paths", "holder", "bob", "queue", "shop", "paths", List.of("src/ui"));
        assertThat(reserved.text("resource")).startsWith("reservation:");
        assertCode(
                caller.call("reserve_paths", "holder", "bob", "queue", "shop", "paths", List.of("/etc")),
                400,
                "invalid");
    }

    @Test
    void an_export_comes_back_as_it_was_imported_part_by_part() {
        String lines = "{\"id\":\"bd-1\",\"title\":\"a\",\"odd\":[1,2.50]}\n{\"id\":\"bd-2\",\"title\":\"b\"}\n";
        Reply report = caller.call("import_work", "lines", lines, "queue", "shop");
        assertThat(report.body().path("created").asInt()).isEqualTo(2);
        Reply first = caller.call("export_work", "limit", 1);
        Reply rest = caller.call("export_work", "limit", 10, "cursor", first.text("next_cursor"));
        assertThat(first.text("lines") + rest.text("lines")).isEqualTo(lines);
        Reply again = caller.call("import_work", "lines", lines + "nonsense\n");
        assertThat(again.body().path("unchanged").asInt()).isEqualTo(2);
        assertThat(again.body().at("/problems/0/line").asInt()).isEqualTo(3);
    }

    @Test
    void one_way_to_write_a_queue_fits_where_it_is_only_looked_for() {
        caller.call("import_work", "lines", "{\"id\":\"bd-1\",\"title\":\"a\"}", "queue", "Web-Shop");
        assertThat(caller.call("export_work", "queue", "Web-Shop")
                        .body()
                        .path("count")
                        .asInt())
                .isEqualTo(1);
        assertThat(caller.call("export_work", "queue", "other")
                        .body()
                        .path("count")
                        .asInt())
                .isZero();
        assertThat(caller.call("export_work", "queue", "*").body().path("count").asInt())
                .isEqualTo(1);
        claim(create("title", "b", "queue", "Web-Shop"), "ann");
        assertThat(caller.call("who", "queue", "Web-Shop").body().path("holders"))
                .hasSize(1);
    }

    @Test
    void whoever_waits_for_work_is_given_it_when_it_is_there() {
        CompletableFuture<Reply> waiting = caller.start("claim_next_work", "holder", "ann", "wait_seconds", 30);
        await().until(() -> broker.claims().waiting(Kind.WORK) == 1);
        String id = create("title", "a");
        assertThat(waiting.join().body().at("/item/id").asString()).isEqualTo(id);
    }

    @Test
    void what_a_session_holds_is_free_soon_after_its_process_was_killed_however_long_its_lease() throws Exception {
        String id = create("title", "a");
        Process process = new ProcessBuilder("sleep", "600").start();
        Reply session = caller.call(
                "start_session",
                "session_id",
                "s-1",
                "kind",
                "script",
                "host",
                Files.readString(Path.of("/proc/sys/kernel/hostname")).strip(),
                "pid",
                process.pid());
        long generation = claim(id, session.text("holder"));
        caller.call(
                "update_work",
                "id",
                id,
                "holder",
                session.text("holder"),
                "claim_generation",
                generation,
                "note",
                "half done");
        assertCode(caller.call("claim_work", "id", id, "holder", "bob"), 409, "held");
        process.destroyForcibly().waitFor();
        Reply taken = caller.call("claim_work", "id", id, "holder", "bob", "wait_seconds", 55);
        assertThat(taken.status()).as(taken.body().toString()).isEqualTo(200);
        assertThat(taken.body().at("/claim/note").asString()).isEqualTo("half done");
        assertThat(taken.body().at("/item/attempts").asInt()).isEqualTo(1);
        assertCode(
                caller.call("close_work", "id", id, "holder", session.text("holder"), "claim_generation", generation),
                412,
                "lost");
        assertThat(caller.call("list_agents").body().path("agents")).isEmpty();
    }
}
