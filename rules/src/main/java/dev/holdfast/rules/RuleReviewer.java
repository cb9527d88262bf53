package dev.holdfast.rules;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * A reviewer without a model: claims the next review, reads all of it, checks it against the rules and gives its
 * verdict, until the broker stops it. The pool's engine {@code rules} starts it and passes its identity in the
 * environment.
 *
 * <pre>{@code java -cp … dev.holdfast.rules.RuleReviewer [rules to leave out]}</pre>
 */
public final class RuleReviewer {
    private static final int WAIT_SECONDS = 50;
    private static final int PART = 1_000_000;
    private static final int MAX_FINDINGS = 100;

    /** How often to retry while a broker restarts; a reviewer whose broker is gone for good must not stay. */
    private static final int PATIENCE = 30;

    private static final int MAX_UNREAD = 5;

    private final BrokerTools broker;
    private final String reviewer;
    private final String project;
    private final Rules rules;
    private final Contents contents;
    private final Consumer<String> log;

    RuleReviewer(
            BrokerTools broker, String reviewer, String project, Rules rules, Contents contents, Consumer<String> log) {
        this.broker = broker;
        this.reviewer = reviewer;
        this.project = project;
        this.rules = rules;
        this.contents = contents;
        this.log = log;
    }

    public static void main(String[] off) throws InterruptedException {
        Map<String, String> environment = System.getenv();
        try {
            new RuleReviewer(
                            new BrokerTools(
                                    URI.create(needed(environment, "HOLDFAST_MCP_URL")),
                                    environment.getOrDefault("HOLDFAST_TOKEN", "")),
                            needed(environment, "HOLDFAST_REVIEWER"),
                            environment.getOrDefault("HOLDFAST_PROJECT", ""),
                            Rules.without(Arrays.stream(off).collect(Collectors.toSet())),
                            new FolderContents(Path.of("")),
                            System.out::println)
                    .run();
        } catch (IllegalArgumentException | IOException e) {
            System.err.println("holdfast rules: " + e.getMessage());
            System.exit(1);
        }
    }

    private static String needed(Map<String, String> environment, String name) {
        String value = environment.get(name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(
                    name + " is not set; the broker's pool sets it when it starts a reviewer");
        }
        return value;
    }

    /** Reviews until it is stopped. */
    void run() throws IOException, InterruptedException {
        boolean takesFindings = broker.connect();
        log.accept(reviewer + " reviews by the rules " + String.join(", ", rules.on()));
        int failures = 0;
        int unread = 0;
        while (true) {
            try {
                JsonNode claim = broker.call("claim_next_review", attempt());
                failures = 0;
                if (claim.has("error") && !canContinue(claim)) {
                    log.accept("stops: " + claim.path("error").asString(""));
                    return;
                }
                if (claim.path("review_id").isString() && claim.has("claim_generation")) {
                    unread = review(claim, takesFindings) ? 0 : unread + 1;
                    if (unread > MAX_UNREAD) {
                        throw new IOException("it cannot read the proposal");
                    }
                }
            } catch (ConnectException e) {
                if (++failures > PATIENCE) {
                    throw new IOException("the broker is gone", e);
                }
                Thread.sleep(Duration.ofSeconds(1));
            }
        }
    }

    private Map<String, Object> attempt() {
        Map<String, Object> attempt = new HashMap<>(Map.of("reviewer_id", reviewer, "wait_seconds", WAIT_SECONDS));
        if (!project.isEmpty()) {
            attempt.put("project", project);
        }
        return attempt;
    }

    /** Whether a refusal is temporary. */
    private static boolean canContinue(JsonNode refusal) throws InterruptedException {
        if (!Set.of("busy", "held").contains(refusal.path("code").asString(""))) {
            return false;
        }
        Thread.sleep(Duration.ofSeconds(1));
        return true;
    }

    /** Whether it could be read; if not, it is left to others. */
    private boolean review(JsonNode claim, boolean takesFindings) throws IOException, InterruptedException {
        String id = claim.path("review_id").asString();
        StringBuilder diff = new StringBuilder();
        JsonNode part;
        do {
            part = broker.call(
                    "get_proposal",
                    Map.of("review_id", id, "caller_id", reviewer, "offset", diff.length(), "limit", PART));
            if (part.has("error")) {
                release(claim, "cannot be read: " + part.path("error").asString(""));
                return false;
            }
            diff.append(part.path("diff").asString(""));
        } while (part.has("next_offset"));
        Judgement judgement = Judgement.of(diff.toString(), rules, contents);
        Map<String, Object> verdict = about(claim);
        verdict.put("verdict", judgement.approved() ? "approved" : "changes_requested");
        verdict.put("reason", judgement.reason());
        if (part.path("revision").isString()) {
            verdict.put("revision", part.path("revision").asString());
        }
        if (takesFindings) {
            verdict.put("findings", findings(judgement));
        }
        JsonNode said = broker.call("submit_verdict", verdict);
        if (judgement.approved() && said.path("code").asString("").equals("bad_state")) {
            // such as another reviewer's open finding: the proposer's turn, or it would be claimed again at once
            log.accept(id + ": " + said.path("error").asString(""));
            verdict.put("verdict", "changes_requested");
            verdict.put(
                    "reason",
                    "The rules find nothing, but this cannot be approved: "
                            + said.path("error").asString(""));
            said = broker.call("submit_verdict", verdict);
        }
        if (said.has("error")) {
            release(claim, "cannot be judged: " + said.path("error").asString(""));
            return true;
        }
        log.accept(id + ": " + said.path("status").asString("") + ". " + judgement.reason());
        return true;
    }

    private void release(JsonNode claim, String why) throws IOException, InterruptedException {
        log.accept(claim.path("review_id").asString() + " " + why);
        Map<String, Object> release = about(claim);
        release.put("note", why);
        broker.call("release_review", release);
        Thread.sleep(Duration.ofSeconds(1)); // otherwise it would claim the same one again at once
    }

    /** The arguments of every call about a review that it holds. */
    private Map<String, Object> about(JsonNode claim) {
        return new HashMap<>(Map.of(
                "review_id", claim.path("review_id").asString(),
                "reviewer_id", reviewer,
                "claim_generation", claim.path("claim_generation").asLong()));
    }

    /** Never must_fix: that stays open until its reviewer resolves it, and the next round may go to another one. */
    private static List<Map<String, Object>> findings(Judgement judgement) {
        return judgement.shown().stream()
                .limit(MAX_FINDINGS)
                .<Map<String, Object>>map(finding -> Map.of(
                        "path", finding.path(),
                        "line", finding.line(),
                        "side", finding.side().name().toLowerCase(Locale.ROOT),
                        "severity", finding.severity().toString(),
                        "message", finding.rule() + ": " + finding.message()))
                .toList();
    }
}
