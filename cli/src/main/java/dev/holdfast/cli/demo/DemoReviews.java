package dev.holdfast.cli.demo;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.json.NotJsonException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The demo's reviews: a good change, a bad one, its next round, and the gate that tells them apart. */
final class DemoReviews {
    private static final Set<String> JUDGED = Set.of("approved", "changes_requested");
    private static final long PATIENCE_SECONDS = 60;
    private static final long PAUSE_MILLIS = 50;

    private static final String BLINK = """
            def shine():
                return "light"


            def blink(times):
            %s    return [shine()] * times
            """;
    private static final String LAMP = "{\"colour\": \"white\", \"every_seconds\": 5%s}\n";

    private final DemoStage stage;
    private final Narrator narrator;
    private final BrokerClient door;
    private final Set<String> met = new HashSet<>();

    DemoReviews(DemoStage stage, Narrator narrator) {
        this.stage = stage;
        this.narrator = narrator;
        door = stage.door();
    }

    void play() {
        narrator.chapter("Nothing gets in unreviewed");
        String ann = proposed("ann", "Let the lamp blink", this::blinkBadly);
        String bob = proposed("bob", "Say who keeps it", this::sayWhoKeepsIt);

        narrator.chapter("The broker starts reviewers");
        Map<String, JsonObject> judged = watch(List.of(ann, bob));
        expect("approved", judged.get(bob));
        expect("changes_requested", judged.get(ann));

        narrator.chapter("Only what was approved gets in");
        passes("bob", "Say who keeps it");
        blink("", "");
        narrator.says("ann", "removes the breakpoint and the comma, and submits the next round");
        String same = propose("ann", "Let the lamp blink", ann);
        demand(same.equals(ann), "the next round is of the same review");
        expect("approved", watch(List.of(ann)).get(ann));
        stage.write("ann", "NOTES.md", "one more thing\n");
        stage.git("ann", "add", ".");
        narrator.says("ann", "sneaks in one more line after the approval");
        stopped("ann", "Let the lamp blink");
        stage.git("ann", "rm", "-q", "-f", "NOTES.md");
        narrator.says("ann", "takes it out again: now it is what was approved");
        passes("ann", "Let the lamp blink");
    }

    private void blinkBadly() {
        blink("    breakpoint()\n", ",");
    }

    private void blink(String more, String comma) {
        stage.write("ann", "lamp.py", BLINK.formatted(more));
        stage.write("ann", "lamp.json", LAMP.formatted(comma));
        stage.git("ann", "add", ".");
    }

    private void sayWhoKeepsIt() {
        stage.write("bob", "README.md", "# Lighthouse\n\nKeeps ships off the rocks.\nKept by Bob.\n");
        stage.git("bob", "add", ".");
    }

    private String proposed(String agent, String intent, Runnable change) {
        change.run();
        stopped(agent, intent);
        return propose(agent, intent, null);
    }

    private void stopped(String agent, String message) {
        narrator.types(agent, "git commit -m '" + message + "'");
        DemoStage.Ended commit = stage.tryGit(agent, "commit", "-q", "-m", message);
        demand(
                commit.exitCode() != 0 && commit.err().contains("not approved"),
                "the gate stops what nobody approved: " + commit);
        narrator.says("gate", narrator.paint().bad("stops it") + ": nobody has approved exactly this");
    }

    private void passes(String agent, String message) {
        narrator.types(agent, "git commit -m '" + message + "'");
        DemoStage.Ended commit = stage.tryGit(agent, "commit", "-q", "-m", message);
        demand(commit.exitCode() == 0, "the gate lets through what was approved: " + commit);
        String hash = stage.must(stage.tryGit(agent, "rev-parse", "--short", "HEAD"))
                .out()
                .strip();
        narrator.says("gate", narrator.paint().good("lets it through") + ": commit " + hash + " is in");
    }

    private String propose(String agent, String intent, @Nullable String review) {
        List<String> words = new ArrayList<>(List.of("gate", "--propose", "--intent", intent, "--json"));
        if (review != null) {
            words.addAll(List.of("--review", review));
        }
        DemoStage.Ended ended = stage.must(stage.holdfast(agent, words.toArray(String[]::new)));
        JsonObject answer = object(ended.out());
        String id = String.valueOf(answer.text("review_id"));
        demand("pending".equals(answer.text("status")), "what is proposed is pending: " + ended.out());
        narrator.types(
                agent,
                "holdfast gate --propose --intent '" + intent + "'" + (review == null ? "" : " --review " + brief(id)));
        narrator.says(
                "broker",
                "review " + brief(id) + ", round " + answer.number("round") + ", is "
                        + narrator.paint().status("pending"));
        return id;
    }

    private static JsonObject object(String json) {
        try {
            return JsonObject.of(Json.read(json));
        } catch (NotJsonException e) {
            throw Failure.failed("holdfast gate did not answer in JSON: " + json, e);
        }
    }

    /** Narrates the reviews until each has a verdict. */
    private Map<String, JsonObject> watch(List<String> reviews) {
        Map<String, JsonObject> judged = new HashMap<>();
        Map<String, String> shown = new HashMap<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (judged.size() < reviews.size()) {
            demand(System.nanoTime() < deadline, "each review has a verdict within a minute: " + pool().members());
            pool().objects("reviewers").forEach(this::meet);
            for (String review : reviews) {
                JsonObject status = ask("get_review_status", Map.of("review_id", review));
                String claimedBy = status.text("claimed_by");
                String now = String.valueOf(status.text("status"));
                if (claimedBy != null && !(claimedBy + now).equals(shown.put(review, claimedBy + now))) {
                    print(review, now, claimedBy);
                    if (now.equals("approved")) {
                        narrateReading(status);
                    }
                }

                if (JUDGED.contains(now)) {
                    judged.put(review, status);
                }
            }
            pause();
        }
        return judged;
    }

    private void print(String review, String status, String reviewer) {
        narrator.says(
                name(reviewer),
                status.equals("claimed")
                        ? "claims review " + brief(review) + " and reads it"
                        : "judges review " + brief(review) + ": "
                                + narrator.paint().status(status));
        if (status.equals("changes_requested")) {
            narrateFindings(review);
        }
    }

    /** Shows that the reviewer has read all of what it approved. */
    private void narrateReading(JsonObject status) {
        JsonObject receipt = status.objects("read_by").stream().findFirst().orElse(JsonObject.of(null));
        demand(Boolean.TRUE.equals(receipt.get("complete")), "what is approved was read whole: " + status.members());
        narrator.detail("the broker's receipt: " + name(String.valueOf(receipt.text("reviewer"))) + " was shown all "
                + receipt.number("characters") + " characters");
    }

    private JsonObject pool() {
        return ask("list_reviewers", Map.of());
    }

    private void meet(JsonObject reviewer) {
        String id = String.valueOf(reviewer.text("id"));
        if (reviewer.number("pid") != null && met.add(id)) {
            narrator.says("pool", "a review is pending: starts " + name(id) + ", process " + reviewer.number("pid"));
        }
    }

    private void narrateFindings(String review) {
        List<JsonObject> findings =
                ask("get_discussion", Map.of("review_id", review)).objects("findings");
        demand(findings.size() == 2, "a breakpoint and a comma too many are found: " + findings);
        for (JsonObject finding : findings) {
            narrator.detail(finding.text("path") + ":" + finding.number("line") + "  " + finding.text("message"));
        }
    }

    private JsonObject ask(String verb, Map<String, ?> input) {
        Reply reply = door.call(verb, input);
        if (!reply.accepted()) {
            throw Failure.refused(reply, verb);
        }
        return reply.json();
    }

    private static void expect(String status, @Nullable JsonObject review) {
        demand(review != null && status.equals(review.text("status")), "the verdict is " + status + ": " + review);
    }

    static void demand(boolean holds, String what) {
        if (!holds) {
            throw Failure.failed("the demo went wrong. Expected: " + what, null);
        }
    }

    /** A reviewer's short name: the session at the end of its id means nothing to viewers. */
    private static String name(String id) {
        return id.substring(0, Math.max(0, id.lastIndexOf('-')));
    }

    private static String brief(String id) {
        return id.substring(0, Math.min(8, id.length()));
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("interrupted", e);
        }
    }
}
