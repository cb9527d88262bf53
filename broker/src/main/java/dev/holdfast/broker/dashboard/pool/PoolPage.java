package dev.holdfast.broker.dashboard.pool;

import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.ReviewTitle;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.broker.pool.ReviewerPool;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Kind;
import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.pool.PoolSituation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Can reviewers work, and what holds them back? Then who they are, and what they say. */
public record PoolPage(Sources sources) {
    private static final int ENDED = 10;
    /** The engines that the model setting applies to. */
    private static final Set<String> MODELS = Set.of("codex", "claude");

    public Sheet show(Visit visit) {
        ReviewerPool pool = sources.pool();
        PoolConfig config = sources.config().pool();
        PoolView view = pool == null || config == null
                ? new PoolView(false, "Pool", "", List.of(), null, List.of(), List.of(), null)
                : view(pool, config, visit);
        return Sheet.of("pool", "Pool", view).live("reviewer:", "review:");
    }

    private PoolView view(ReviewerPool pool, PoolConfig config, Visit visit) {
        Instant now = visit.now();
        List<PoolReviewer> all = pool.list();
        ReviewerPool.Status status = pool.status();
        PoolSituation situation = status.situation();
        Map<String, Claim> holding = sources.claims().held(Kind.REVIEW, null, null).stream()
                .collect(Collectors.toMap(Claim::holder, Function.identity(), (first, _) -> first));
        List<PoolView.Reviewer> live = new ArrayList<>();
        List<PoolView.Reviewer> ended = new ArrayList<>();
        for (PoolReviewer one : all) {
            (one.ended() == null ? live : ended).add(reviewer(one, holding.get(one.id()), now));
        }
        long waiting = situation.pending().stream()
                .mapToLong(PoolSituation.Pending::count)
                .sum();
        boolean full = live.size() >= config.size().max(); // a full pool is not trouble; the gauge shows it
        String whose = visit.query("log");
        String chosen = whose != null
                ? whose
                : live.isEmpty() ? null : live.getFirst().actor().name();
        return new PoolView(
                true,
                heading(live.size(), full ? null : status.heldBack()),
                lead(config, waiting),
                gauges(config, situation, all),
                trouble(situation, full ? null : status.heldBack()),
                live,
                ended.reversed().subList(0, Math.min(ENDED, ended.size())),
                chosen == null
                        ? null
                        : new LogLines(pool).of(chosen, Objects.requireNonNullElse(visit.query("q"), "")));
    }

    private static String heading(int live, @Nullable String heldBack) {
        String up = live == 0 ? "No reviewers running" : live == 1 ? "1 reviewer running" : live + " reviewers running";
        return heldBack == null ? up : up + ", no more can start";
    }

    private static String lead(PoolConfig config, long waiting) {
        String engine = config.engine().name();
        String model = MODELS.contains(engine) ? ", " + config.model().name() : "";
        String means = engine.equals("rules")
                ? "It approves every change that breaks no rule. Where a person should decide, run the broker without a"
                        + " pool. "
                : "";
        return "Engine: " + engine + model + ". " + means
                + (waiting == 0
                        ? "No reviews are waiting."
                        : waiting == 1 ? "1 review is waiting." : waiting + " reviews are waiting.");
    }

    private static List<PoolView.Gauge> gauges(PoolConfig config, PoolSituation now, List<PoolReviewer> all) {
        long live = all.stream().filter(one -> one.ended() == null).count();
        return List.of(
                gauge("Reviewers", live, (long) config.size().max(), false), // a full pool is not trouble
                gauge(
                        "Reviews this hour",
                        now.reviewsInAnHour(),
                        config.limits().reviewsPerHour(),
                        true),
                gauge(
                        "Starts in the last day",
                        now.spawnsInADay(),
                        config.limits().spawnsPerDay(),
                        true),
                new PoolView.Gauge(
                        "Ended without a review", String.valueOf(now.crashes().inARow()), "in a row", -1, false),
                new PoolView.Gauge("Spend", spent(all), tokens(config.engine().name()), -1, false));
    }

    /** The time spent, which the broker measures itself. */
    private static String spent(List<PoolReviewer> all) {
        return When.in(all.stream().map(one -> one.work().time()).reduce(Duration.ZERO, Duration::plus));
    }

    /** No engine reports how many tokens it used: a number here would be made up. */
    private static String tokens(String engine) {
        return engine.equals("rules")
                ? "of reviewing; rules use no model"
                : "of reviewing; tokens are not reported by " + (engine.equals("command") ? "the command" : engine);
    }

    private static PoolView.Gauge gauge(String name, long value, @Nullable Long max, boolean warns) {
        return max == null
                ? new PoolView.Gauge(name, String.valueOf(value), "no limit", -1, warns)
                : new PoolView.Gauge(name, String.valueOf(value), "of " + max, 100.0 * value / Math.max(1, max), warns);
    }

    private static PoolView.@Nullable Trouble trouble(PoolSituation now, @Nullable String heldBack) {
        String said = Objects.requireNonNullElse(now.crashes().lastOutput(), "");
        if (heldBack != null) {
            return new PoolView.Trouble(
                    "Held back: " + heldBack + ".", now.crashes().inARow() > 0 ? said : "");
        }
        return now.crashes().inARow() == 0
                ? null
                : new PoolView.Trouble(now.crashes().inARow() + " in a row ended before reviewing anything.", said);
    }

    private String title(String review) {
        return sources.reviews()
                .catalogue()
                .find(review)
                .map(ReviewTitle::of)
                .orElseGet(() -> "review " + ReviewTitle.shortId(review));
    }

    /** Rules take less than a second: below a minute, in tenths, as in {@code pool status}. */
    private static String each(PoolReviewer.Work work) {
        Duration each = work.time().dividedBy(work.completed());
        return each.toMinutes() > 0 ? When.in(each) : Math.round(each.toMillis() / 100.0) / 10.0 + " s";
    }

    private PoolView.Reviewer reviewer(PoolReviewer one, @Nullable Claim holds, Instant now) {
        PoolReviewer.Work work = one.work();
        PoolReviewer.Ended ended = one.ended();
        boolean draining = one.state() == PoolReviewer.State.DRAINING;
        return new PoolView.Reviewer(
                new Actor(one.id()),
                one.state().toString(),
                ended != null ? "s-withdrawn" : draining ? "drain" : holds != null ? "s-claimed" : "s-ready",
                ended != null ? "dim" : draining ? "brass" : holds != null ? "sea" : "",
                Objects.requireNonNullElse(one.project(), Objects.requireNonNullElse(one.folder(), "any")),
                holds == null ? "" : title(holds.resource().id()),
                holds == null ? "" : Address.review(holds.resource().id()),
                holds == null ? null : Lease.of(holds, now),
                work.completed(),
                work.completed() == 0 ? "" : Math.round(100.0 * work.approvals() / work.completed()) + " %",
                work.completed() == 0 ? "" : each(work),
                new When(one.spawnedAt(), now),
                one.broker(),
                ended == null
                        ? ""
                        : ended.reason() + (ended.exitCode() == null ? "" : ", exit code " + ended.exitCode()));
    }
}
