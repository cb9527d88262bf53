package dev.holdfast.broker.dashboard.settings;

import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.config.SettingsHelp;
import dev.holdfast.broker.dashboard.page.About;
import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.broker.pool.ReviewerPool;
import dev.holdfast.claim.Kind;
import dev.holdfast.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The settings in force and where they come from; the broker's health; all brokers on the store. */
public record SettingsPage(Sources sources) {
    public Sheet show(Visit visit) {
        boolean changed = Objects.requireNonNullElse(visit.query("show"), "").equals("changed");
        String search = Objects.requireNonNullElse(visit.query("q"), "").strip();
        SettingsView view = new SettingsView(
                changed,
                sources.config().given().size(),
                search,
                groups(changed, search.toLowerCase(Locale.ROOT)),
                health(),
                brokers(visit.now()),
                facts());
        return Sheet.of("settings", "Settings", view).live("broker:");
    }

    private List<SettingsView.Group> groups(boolean changed, String search) {
        Map<String, Settings.Shown> given = sources.config().given().stream()
                .collect(Collectors.toMap(Settings.Shown::path, Function.identity(), (first, _) -> first));
        Map<String, List<SettingsView.Value>> groups = new LinkedHashMap<>();
        for (SettingsHelp.Described one : SettingsHelp.all()) {
            Settings.Shown set = given.get(one.path());
            boolean wanted = one.path().contains(search)
                    || one.meaning().toLowerCase(Locale.ROOT).contains(search);
            if (wanted && (set != null || !changed)) {
                groups.computeIfAbsent(one.section(), _ -> new ArrayList<>())
                        .add(set == null ? standard(one) : given(one, set));
            }
        }
        return groups.entrySet().stream()
                .map(group -> new SettingsView.Group(group.getKey(), group.getValue()))
                .toList();
    }

    /** Settings come as JSON; of a string, people want only what is between the quotes. */
    private static String plain(String json) {
        JsonNode value = JsonMapper.shared().readTree(json);
        return value.isString() ? value.asString() : json;
    }

    private static SettingsView.Value given(SettingsHelp.Described one, Settings.Shown set) {
        String source = set.source().isEmpty() ? "set on the command line" : set.source();
        return new SettingsView.Value(one.path(), one.meaning(), plain(set.value()), false, source);
    }

    /** If the default depends on something, the value that it came to. */
    private SettingsView.Value standard(SettingsHelp.Described one) {
        if (one.path().equals(Setting.DATA.path())) {
            return value(one, sources.config().store().data().toString());
        }
        if (one.path().equals(Setting.REQUIRE_READING.path())) {
            return value(one, String.valueOf(sources.config().reviews().requireReading()));
        }
        return new SettingsView.Value(
                one.path(), one.meaning(), one.standard().isEmpty() ? "none" : one.standard(), one.inWords(), "");
    }

    private static SettingsView.Value value(SettingsHelp.Described one, String value) {
        return new SettingsView.Value(one.path(), one.meaning(), value, false, "");
    }

    private List<SettingsView.Check> health() {
        List<SettingsView.Check> checks = new ArrayList<>();
        long start = System.nanoTime();
        try {
            sources.claims().depths();
            long took = Duration.ofNanos(System.nanoTime() - start).toMillis();
            checks.add(
                    new SettingsView.Check("Store", "answers in " + (took == 0 ? "less than 1" : took) + " ms", "ok"));
        } catch (StoreException e) {
            checks.add(new SettingsView.Check("Store", String.valueOf(e.getMessage()), "brass"));
        }
        checks.add(new SettingsView.Check(
                "Events", "event " + sources.claims().tail().latest() + " is the newest", "ok"));
        ReviewerPool pool = sources.pool();
        if (pool == null) {
            checks.add(new SettingsView.Check("Reviewer pool", "off", "dim"));
        } else {
            String heldBack = pool.status().heldBack();
            long live = pool.list().stream().filter(one -> one.ended() == null).count();
            boolean full = live >= max(); // a full pool is not trouble
            checks.add(new SettingsView.Check(
                    "Reviewer pool",
                    heldBack == null ? "can start reviewers" : heldBack,
                    heldBack == null || full ? "ok" : "brass"));
        }
        return checks;
    }

    private long max() {
        PoolConfig pool = sources.config().pool();
        return pool == null ? 0 : pool.size().max();
    }

    private List<SettingsView.Broker> brokers(Instant now) {
        return sources.claims().held(Kind.BROKER, null, null).stream()
                .map(claim -> new SettingsView.Broker(
                        claim.holder(),
                        "up " + When.in(Duration.between(claim.claimedAt(), now)) + ", last seen "
                                + When.in(Duration.between(claim.renewedAt(), now)) + " ago"))
                .toList();
    }

    private List<SettingsView.Fact> facts() {
        return List.of(
                new SettingsView.Fact("Holdfast", About.version()),
                new SettingsView.Fact("Java", Runtime.version().toString()),
                new SettingsView.Fact("Store", About.engine(sources.store())));
    }
}
