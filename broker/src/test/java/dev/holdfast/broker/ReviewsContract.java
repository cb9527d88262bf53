package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.claim.Resource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Reviews over HTTP: the keys and texts that the predecessor's clients know, and what was added. */
abstract class ReviewsContract extends OnWorkspace {
    private static final String DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    private static final String OTHER = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+c\n";

    @BeforeEach
    void commit() {
        commit("a\n");
    }

    @Test
    void the_whole_loop_with_a_counter_patch_messages_and_a_second_round() {
        Reply created = create("diff", DIFF, "description", "faster", "category", "code_change");
        String id = created.text("review_id");
        assertThat(keys(created.body())).contains("review_id", "status", "project");
        Reply listed = caller.call("list_reviews", "status", "pending", "wait", true);
        assertThat(keys(listed.body().at("/reviews/0")))
                .containsExactly(
                        "id",
                        "status",
                        "intent",
                        "agent_type",
                        "phase",
                        "priority",
                        "project",
                        "category",
                        "created_at",
                        "proposer",
                        "attention");

        Reply claimed = claim(id, "reviewer-a");
        assertThat(claimed.text("status")).isEqualTo("claimed");
        assertThat(claimed.text("claimed_by")).isEqualTo("reviewer-a");
        assertThat(claimed.generation()).isEqualTo(1);
        assertThat(claimed.body().path("has_diff").asBoolean()).isTrue();
        assertThat(claimed.body().at("/affected_files/0/path").asString()).isEqualTo("x");
        assertThat(caller.call("who").body().at("/holders/0/claims/0/title").asString())
                .isEqualTo("add a cache");
        assertThat(caller.call("get_proposal", "review_id", id).text("diff")).isEqualTo(DIFF);
        caller.call(
                "add_message", "review_id", id, "sender_role", "reviewer", "body", "why b?", "metadata", "{\"n\": 1}");
        caller.call("add_message", "review_id", id, "sender_role", "proposer", "body", "why not?");
        Reply discussion = caller.call("get_discussion", "review_id", id);
        assertThat(discussion.body().path("count").asInt()).isEqualTo(2);
        assertThat(discussion.body().at("/messages/0/metadata/n").asInt()).isEqualTo(1);
        assertThat(discussion.body().at("/messages/1").has("metadata"))
                .as("null, as before verbs were records, not left out: " + discussion.body())
                .isTrue();

        Reply asked = caller.call(
                "submit_verdict",
                Given.verdict(
                        id,
                        "changes_requested",
                        "reason",
                        "c is better",
                        "counter_patch",
                        OTHER,
                        "reviewer_id",
                        "reviewer-a",
                        "claim_generation",
                        1));
        assertThat(asked.text("status")).isEqualTo("changes_requested");
        assertThat(asked.body().path("has_counter_patch").asBoolean()).isTrue();
        assertThat(asked.body().has("verdict")).isFalse();
        Reply shown = caller.call("get_proposal", "review_id", id);
        assertThat(shown.text("counter_patch")).isEqualTo(OTHER);
        assertThat(shown.text("counter_patch_status")).isEqualTo("pending");
        Reply accepted = caller.call("accept_counter_patch", "review_id", id);
        assertThat(accepted.text("counter_patch_status")).isEqualTo("accepted");
        assertThat(accepted.text("message")).isEqualTo("Counter-patch accepted as active diff");

        Reply revised = create("review_id", id, "diff", OTHER);
        assertThat(revised.body().path("revised").asBoolean()).isTrue();
        assertThat(claim(id, "reviewer-a").generation()).isEqualTo(2);
        caller.call("get_proposal", "review_id", id, "caller_id", "reviewer-a");
        Reply approved = verdict(id, "approved", "reviewer-a", 2);
        assertThat(approved.text("status")).isEqualTo("approved");
        Reply closed = caller.call("close_review", "review_id", id, "closer_role", "proposer");
        assertThat(closed.text("status")).isEqualTo("closed");
        assertThat(closed.text("closed_by")).isEqualTo("proposer");

        Reply timeline = caller.call("get_review_timeline", "review_id", id);
        assertThat(timeline.text("current_status")).isEqualTo("closed");
        assertThat(eventTypes(timeline))
                .containsExactly(
                        "review_created",
                        "review_claimed",
                        "message_sent",
                        "message_sent",
                        "verdict_submitted",
                        "counter_patch_accepted",
                        "review_revised",
                        "review_claimed",
                        "verdict_submitted",
                        "review_closed");
        Reply audit = caller.call("get_audit_log", "review_id", id);
        assertThat(eventTypes(audit)).isEqualTo(eventTypes(timeline));
        assertThat(audit.body().path("events")).allMatch(event -> event.has("metadata"), "has its details, or null");
        assertThat(caller.call("get_proposal", "review_id", id, "round", 1).text("diff"))
                .isEqualTo(OTHER);
        Reply stats = caller.call("get_review_stats");
        assertThat(stats.body().path("approval_rate_pct").asDouble()).isEqualTo(100.0);
        assertThat(stats.body().at("/by_category/code_change").asInt()).isEqualTo(1);
        assertThat(caller.call("get_activity_feed")
                        .body()
                        .at("/reviews/0/message_count")
                        .asInt())
                .isEqualTo(2);
    }

    @Test
    void a_late_verdict_is_refused_and_the_new_holders_is_taken() {
        String id = create().text("review_id");
        claim(id, "reviewer-a");
        broker.claims().reclaim(Resource.parse("review:" + id), 1, "claim_timeout");
        assertThat(claim(id, "reviewer-b").generation()).isEqualTo(3);
        Reply late = verdict(id, "approved", "reviewer-a", 1);
        assertThat(late.status()).isEqualTo(412);
        assertThat(late.text("code")).isEqualTo("stale");
        assertThat(late.text("error"))
                .isEqualTo("Stale claim: review was reclaimed since your claim. Your generation=1, current=3");
        assertThat(late.body().has("claim_generation")).isFalse();
        assertThat(verdict(id, "approved", "reviewer-b", 3).status()).isEqualTo(200);
        assertThat(verdict(id, "approved", "reviewer-b", 3)
                        .body()
                        .path("replayed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void refusals_have_the_predecessors_texts_and_our_codes() {
        String id = create().text("review_id");
        refused(caller.call("claim_review", "review_id", "none", "reviewer_id", "r"), 404, "Review not found: none");
        refused(caller.call("get_review_status", "review_id", "none"), 404, "Review none not found");
        refused(caller.call("get_proposal", "review_id", "none"), 404, "Review none not found");
        refused(caller.call("get_discussion", "review_id", "none"), 404, "Review not found: none");
        refused(caller.call("get_review_timeline", "review_id", "none"), 404, "Review not found: none");
        refused(caller.call("get_audit_log", "review_id", "none"), 404, "Review not found: none");
        refused(caller.call("list_reviews", "wait", true), 400, "wait=True requires status='pending'");
        refused(
                caller.call("list_reviews", "project", "a", "projects", List.of("b")),
                400,
                "Provide either 'project' or 'projects', not both.");
        refused(
                caller.call("list_reviews", "projects", List.of()),
                400,
                "'projects' must contain at least one project identifier.");
        claim(id, "reviewer-a");
        refused(
                caller.call("submit_verdict", Given.verdict(id, "approved", "reviewer_id", " ")),
                412,
                "Claimed reviews require reviewer_id or claim_generation for verdict submission");
        refused(
                verdict(id, "approved", "reviewer-b", 1),
                412,
                "Unauthorized: review is claimed by reviewer-a, not reviewer-b");
        refused(
                caller.call("close_review", "review_id", id, "closer_role", "reviewer"),
                409,
                "Invalid closer_role: 'reviewer'. Only proposer may close reviews.");
        assertThat(claim(id, "reviewer-b").text("error")).startsWith("Invalid transition: claimed -> claimed.");
        refused(caller.call("reject_counter_patch", "review_id", id), 409, "No pending counter-patch to reject");
        refused(create("diff", "no diff"), 400, "Diff validation failed on submission. Diff does not apply cleanly.");
        assertThat(create("diff", "no diff").body().path("validation_error").asString())
                .isNotEmpty();
        for (String verb : List.of("spawn_reviewer", "list_reviewers")) {
            refused(caller.call(verb), 409, "Reviewer pool not configured. Add reviewer_pool section to config.");
        }
        refused(
                caller.call("kill_reviewer", "reviewer_id", "r"),
                409,
                "Reviewer pool not configured. Add reviewer_pool section to config.");
    }

    @Test
    void a_proposer_that_waits_is_told_of_the_verdict() {
        String id = create().text("review_id");
        claim(id, "reviewer-a");
        long version = caller.call("get_review_status", "review_id", id)
                .body()
                .path("version")
                .asLong();
        CompletableFuture<Reply> waiting =
                caller.start("get_review_status", "review_id", id, "wait", true, "since", version);
        verdict(id, "approved", "reviewer-a", 1);
        assertThat(waiting.join().text("status")).isEqualTo("approved");
        Reply missed = caller.call("get_review_status", "review_id", id, "wait", true, "since", version);
        assertThat(missed.text("status")).isEqualTo("approved");
    }

    @Test
    void claim_next_release_and_withdraw() {
        assertThat(caller.call("claim_next_review", "reviewer_id", "reviewer-a")
                        .body()
                        .path("review_id")
                        .isNull())
                .isTrue();
        CompletableFuture<Reply> waiting =
                caller.start("claim_next_review", "reviewer_id", "reviewer-a", "wait_seconds", 20);
        String id = create("project", "/home/ann/Web-Shop").text("review_id");
        assertThat(waiting.join().text("review_id")).isEqualTo(id);
        Reply released =
                caller.call("release_review", "review_id", id, "reviewer_id", "reviewer-a", "claim_generation", 1);
        assertThat(released.text("status")).isEqualTo("pending");
        assertThat(caller.call("claim_next_review", "reviewer_id", "reviewer-b", "project", "web shop")
                        .generation())
                .isEqualTo(2);
        assertThat(caller.call("withdraw_review", "review_id", id, "reason", "not needed")
                        .text("status"))
                .isEqualTo("withdrawn");
        refused(
                verdict(id, "approved", "reviewer-b", 2),
                412,
                "Stale claim: review was reclaimed since your claim. Your generation=2, current=3");
    }

    @Test
    void a_large_diff_goes_through_and_is_read_in_parts() {
        int lines = 50_000;
        String line = "+" + "é".repeat(50) + "\n";
        String diff = "--- /dev/null\n+++ b/big\n@@ -0,0 +1," + lines + " @@\n" + line.repeat(lines);
        String id = create("diff", diff).text("review_id");
        StringBuilder read = new StringBuilder();
        long offset = 0;
        while (true) {
            Reply part = caller.call("get_proposal", "review_id", id, "offset", offset, "limit", 1_000_000);
            read.append(part.text("diff"));
            if (!part.body().has("next_offset")) {
                break;
            }
            offset = part.body().path("next_offset").asLong();
        }
        assertThat(read.toString().equals(diff)).isTrue();
    }

    @Test
    void lists_are_whole_unless_part_of_them_is_asked_for() {
        for (int i = 0; i < 5; i++) {
            create();
        }
        assertThat(caller.call("list_reviews").body().path("reviews").size()).isEqualTo(5);
        Reply page = caller.call("list_reviews", "limit", 3);
        assertThat(caller.call("list_reviews", "limit", 3, "cursor", page.text("next_cursor"))
                        .body()
                        .path("reviews")
                        .size())
                .isEqualTo(2);
        refused(caller.call("list_reviews", "limit", 3, "cursor", "x"), 400, "cursor is not from this list: x");
        assertThat(caller.call("get_audit_log", "limit", 2).body().path("count").asInt())
                .isEqualTo(2);
    }

    @Test
    void a_diff_is_checked_when_it_is_proposed_and_when_it_is_claimed() {
        refused(
                create("diff", DIFF.replace("-a", "-z")),
                400,
                "Diff validation failed on submission. Diff does not apply cleanly.");
        String id = create("diff", DIFF).text("review_id");
        String kept = create("diff", OTHER).text("review_id");
        commit("b\n");
        assertThat(claim(id, "reviewer-a").text("status"))
                .as("it has been applied already")
                .isEqualTo("claimed");
        Reply rejected = claim(kept, "reviewer-a");
        assertThat(rejected.text("status")).isEqualTo("changes_requested");
        assertThat(rejected.body().path("auto_rejected").asBoolean()).isTrue();
        assertThat(rejected.text("validation_error")).contains("patch");
        assertThat(rejected.body().has("claim_generation")).isFalse();
    }

    @Test
    void a_gate_is_told_why_not_what_to_do_and_then_by_whom_it_was_approved() {
        Reply never = caller.call("check_approval", "project", "shop", "diff", DIFF);
        assertThat(never.body().path("approved").asBoolean()).isFalse();
        assertThat(never.text("why")).isEqualTo("never_reviewed");
        assertThat(never.text("message")).contains("create_review");

        Reply created = create("diff", DIFF, "project", "/src/Shop");
        String id = created.text("review_id");
        assertThat(created.text("revision")).isEqualTo(never.text("revision"));
        Reply pending = caller.call("check_approval", "project", "shop", "revision", created.text("revision"));
        assertThat(pending.text("why")).isEqualTo("pending");
        assertThat(pending.text("review_id")).isEqualTo(id);

        long generation = claim(id, "reviewer-a").generation();
        caller.call("get_proposal", "review_id", id, "caller_id", "reviewer-a");
        verdict(id, "approved", "reviewer-a", generation);
        Reply approved = caller.call("check_approval", "project", "shop", "diff", DIFF);
        assertThat(approved.body().path("approved").asBoolean()).isTrue();
        assertThat(approved.text("review_id")).isEqualTo(id);
        assertThat(approved.text("reviewer")).isEqualTo("reviewer-a");
        assertThat(approved.body().has("at")).isTrue();

        Reply other = caller.call("check_approval", "project", "shop", "diff", OTHER);
        assertThat(other.text("why")).isEqualTo("other_content");
        assertThat(other.text("review_id")).isEqualTo(id);
        assertThat(other.text("message")).contains(id, "(approved)");
    }

    @Test
    void an_override_passes_and_is_in_the_audit() {
        Reply overridden = caller.call(
                "override_approval", "project", "shop", "diff", DIFF, "by", "ann", "reason", "production is down");
        assertThat(overridden.body().path("overridden").asBoolean()).isTrue();
        Reply passes = caller.call("check_approval", "project", "Shop", "diff", DIFF);
        assertThat(passes.body().path("approved").asBoolean()).isTrue();
        assertThat(passes.body().at("/override/reason").asString()).isEqualTo("production is down");
        JsonNode audited = caller.call("get_audit_log").body().at("/events/0");
        assertThat(audited.path("event_type").asString()).isEqualTo("approval_overridden");
        assertThat(audited.path("actor").asString()).isEqualTo("ann");
        assertThat(audited.path("review_id").isNull()).isTrue();
        assertThat(audited.at("/metadata/revision").asString()).isEqualTo(overridden.text("revision"));
        assertThat(caller.call("get_events", "resource", "review:" + overridden.text("revision"))
                        .body()
                        .at("/events/0/type")
                        .asString())
                .isEqualTo("approval_overridden");
    }

    @Test
    void a_gate_that_asks_wrongly_is_told() {
        refused(caller.call("check_approval", "project", "shop"), 400, "give either diff or revision");
        assertThat(caller.call("check_approval", "diff", "hello").status()).isEqualTo(400);
        assertThat(caller.call("override_approval", "diff", DIFF, "by", "ann").text("error"))
                .contains("missing field reason");
        assertThat(caller.call("override_approval", "diff", DIFF, "by", "ann", "reason", " ")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void claimed_like_any_other_thing_a_review_obeys_the_rules_of_reviews() {
        String id = create("diff", DIFF).text("review_id");
        String bad = create("diff", OTHER).text("review_id");
        Reply taken = caller.call("claim", "resource", "review:" + id, "holder", "reviewer-a");
        assertThat(taken.generation()).isEqualTo(1);
        assertThat(taken.text("resource")).isEqualTo("review:" + id);
        Reply held = caller.call("claim", "resource", "review:" + id, "holder", "reviewer-b");
        assertThat(held.status()).isEqualTo(409);
        assertThat(held.text("code")).isEqualTo("held");
        assertThat(held.text("holder")).isEqualTo("reviewer-a");
        assertThat(caller.call("heartbeat", "holder", "reviewer-a", "resource", "review:" + id, "claim_generation", 1)
                        .generation())
                .isEqualTo(1);
        commit("z\n");
        Reply rejected = caller.call("claim_next", "kind", "review", "holder", "reviewer-b");
        assertThat(rejected.body().path("resource").isNull()).isTrue();
        assertThat(caller.call("get_review_status", "review_id", bad).text("status"))
                .isEqualTo("changes_requested");
        Reply released = caller.call(
                "release", "resource", "review:" + id, "holder", "reviewer-a", "claim_generation", 1, "note", "later");
        assertThat(released.body().path("released").asBoolean()).isTrue();
        assertThat(caller.call("get_review_status", "review_id", id).text("status"))
                .isEqualTo("pending");
        assertThat(eventTypes(caller.call("get_review_timeline", "review_id", id)))
                .containsExactly("review_created", "review_claimed", "review_released");
        Reply kept = caller.call(
                "release",
                "resource",
                "review:" + id,
                "holder",
                "reviewer-a",
                "claim_generation",
                1,
                "keep_status",
                true);
        assertThat(kept.status()).isEqualTo(400);
    }

    private Reply create(Object... more) {
        return caller.call("create_review", Given.proposal(more));
    }

    private Reply claim(String id, String reviewer) {
        return caller.call("claim_review", "review_id", id, "reviewer_id", reviewer);
    }

    private Reply verdict(String id, String verdict, String reviewer, long generation) {
        return caller.call(
                "submit_verdict", Given.verdict(id, verdict, "reviewer_id", reviewer, "claim_generation", generation));
    }

    private static void refused(Reply reply, int status, String text) {
        assertThat(reply.text("error")).isEqualTo(text);
        assertThat(reply.status()).isEqualTo(status);
    }

    private static List<String> keys(JsonNode object) {
        return List.copyOf(object.propertyNames());
    }

    private static List<String> eventTypes(Reply reply) {
        return reply.body()
                .path("events")
                .valueStream()
                .map(event -> event.path("event_type").asString())
                .toList();
    }
}
