package dev.holdfast.broker.dashboard;

import dev.holdfast.broker.api.EarlyAnswerException;
import dev.holdfast.broker.api.Origins;
import dev.holdfast.broker.auth.Callers;
import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.dashboard.page.About;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.pool.ReviewerPool;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.pool.PoolReviewer;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The addresses of the review broker that Holdfast replaces, for people who have linked to them and programs that read
 * them.
 */
record LegacyAddresses(Sources sources, List<Verb> verbs, Callers callers, Origins origins, Instant started) {
    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final String LOG = ".jsonl";
    private static final int MAX_FILES = 50;
    private static final int MAX_RECORDS = 10_000;
    private static final int AT_ONCE = 1_000;

    void register(RoutesConfig routes, UnaryOperator<Handler> guarded) {
        routes.get("/dashboard", guarded.apply(request -> request.redirect("/")));
        routes.get("/dashboard/api/overview", guarded.apply(request -> json(request, overview(request))));
        routes.get("/dashboard/api/logs", guarded.apply(request -> json(request, Map.of("files", files()))));
        routes.get("/dashboard/api/logs/{file}", guarded.apply(this::log));
        routes.get("/dashboard/events", guarded.apply(this::events));
        routes.get("/dashboard/<page>", guarded.apply(request -> request.redirect("/")));
    }

    private static void json(Context request, Object body) {
        request.header("Cache-Control", "no-store");
        request.contentType("application/json; charset=utf-8").result(MAPPER.writeValueAsString(body));
    }

    private Map<String, @Nullable Object> overview(Context request) {
        Map<String, @Nullable Object> stats = new LinkedHashMap<>(read("get_review_stats", request));
        stats.remove("avg_time_in_state_seconds");
        PoolConfig pool = sources.config().pool();
        Map<String, @Nullable Object> reviewers = new LinkedHashMap<>();
        reviewers.put("pool_active", pool != null);
        if (pool != null) {
            Map<String, @Nullable Object> listed = read("list_reviewers", request);
            reviewers.put("session_token", listed.get("session_token"));
            reviewers.put("pool_size", listed.get("pool_size"));
            reviewers.put("reviewers", listed.get("reviewers"));
        }
        return Map.of(
                "broker",
                Map.of(
                        "version",
                        About.version(),
                        "uptime_seconds",
                        Duration.between(started, Instant.now()).toSeconds(),
                        "address",
                        request.host() == null ? "" : request.host(),
                        "config",
                        Map.of(
                                "review_enabled",
                                true,
                                "pool_enabled",
                                pool != null,
                                "max_pool_size",
                                pool == null ? 0 : pool.size().max())),
                "stats",
                stats,
                "reviewers",
                reviewers);
    }

    private Map<String, @Nullable Object> read(String name, Context request) {
        Verb verb = verbs.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        Answer answer = callers.call(verb, MAPPER.createObjectNode(), origins.of(request));
        if (answer.refusal() != null) {
            throw new EarlyAnswerException(answer);
        }
        return answer.body();
    }

    private List<Map<String, Object>> files() {
        ReviewerPool pool = sources.pool();
        if (pool == null) {
            return List.of();
        }
        Map<String, Long> sizes = pool.logSizes();
        return pool.list().stream()
                .filter(reviewer -> sizes.containsKey(reviewer.id()))
                .sorted(Comparator.comparing(PoolReviewer::lastActiveAt).reversed())
                .limit(MAX_FILES)
                .map(reviewer -> Map.<String, Object>of(
                        "name",
                        reviewer.id() + LOG,
                        "size",
                        sizes.get(reviewer.id()),
                        "modified",
                        reviewer.lastActiveAt().toString(),
                        "source",
                        "reviewer"))
                .toList();
    }

    private void log(Context request) {
        String file = request.pathParam("file");
        ReviewerPool pool = sources.pool();
        Optional<List<JsonNode>> entries = pool == null || !file.endsWith(LOG)
                ? Optional.empty()
                : entries(pool, file.substring(0, file.length() - LOG.length()));
        if (entries.isEmpty()) {
            request.status(404).contentType("text/plain; charset=utf-8").result("Not found");
            return;
        }
        json(
                request,
                Map.of("filename", file, "source", "reviewer", "entries", entries.get(), "size", size(entries.get())));
    }

    private static Optional<List<JsonNode>> entries(ReviewerPool pool, String reviewer) {
        List<JsonNode> entries = new ArrayList<>();
        try {
            List<JsonNode> next;
            do {
                long after = entries.isEmpty() ? 0 : entries.getLast().path("n").asLong();
                next = pool.log(reviewer, after, AT_ONCE, Duration.ZERO).records();
                entries.addAll(next);
            } while (next.size() == AT_ONCE && entries.size() < MAX_RECORDS);
            return Optional.of(entries);
        } catch (RefusedException _) {
            return Optional.empty();
        }
    }

    private static long size(List<JsonNode> entries) {
        return entries.stream()
                .mapToLong(entry -> entry.toString().getBytes(StandardCharsets.UTF_8).length + 1L)
                .sum();
    }

    /** Ends after one update: clients reconnect by themselves, as often as the predecessor used to send one. */
    private void events(Context request) {
        Map<String, @Nullable Object> update = new LinkedHashMap<>(overview(request));
        update.put("type", "overview_update");
        request.header("Cache-Control", "no-store");
        request.contentType("text/event-stream")
                .result("retry: 15000\nevent: connected\ndata: {\"status\":\"connected\"}\n\ndata: "
                        + MAPPER.writeValueAsString(update) + "\n\n");
    }
}
