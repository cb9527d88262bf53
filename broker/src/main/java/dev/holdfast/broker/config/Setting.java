package dev.holdfast.broker.config;

import static dev.holdfast.broker.config.SettingForm.DAY;
import static dev.holdfast.broker.config.SettingForm.flag;
import static dev.holdfast.broker.config.SettingForm.number;
import static dev.holdfast.broker.config.SettingForm.oneOf;
import static dev.holdfast.broker.config.SettingForm.text;

import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Leases;
import dev.holdfast.claim.Sweeper;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.work.WorkItems;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * All settings, each declared once, in the order of the configuration file. To add a setting, add it here and use it in
 * {@link Config}; the rest follows.
 */
public enum Setting {
    HOST(
            "server.host",
            text().or("127.0.0.1"),
            "the address to listen on; anything but loopback needs tokens, and should have TLS"),
    PORT("server.port", number(0, 65_535).or(8321), "the port to listen on; 0 picks a free one"),
    LOOPBACK(
            "server.loopback", oneOf("open", "token"), "open, or token: only answer programs of the broker's own user"),
    TLS_CERTIFICATE(
            "server.tls_certificate",
            text().orElse("none: no TLS"),
            "a PEM file with the certificate and its chain; read again when it changes"),
    TLS_KEY(
            "server.tls_key",
            text().orElse("none: no TLS"),
            "a PEM file with the certificate's private key, which only the broker's user can read"),
    TRUSTED_PROXIES(
            "server.trusted_proxies",
            SettingForm.of(Type.TEXTS),
            "addresses or networks of proxies, whose X-Forwarded-For and X-Forwarded-Proto are trusted; others' are ignored"),
    DRAIN(
            "server.drain_seconds",
            number(0, 300).or(0),
            "how long a stopping broker keeps answering after /readyz says that it is not ready, so proxies can"
                    + " send calls elsewhere"),

    DATA(
            "store.data",
            text().orElse("your data folder, ~/.local/share/holdfast on Linux"),
            "the folder of the SQLite store"),
    DATABASE(
            "store.database",
            text().orElse("none: SQLite").asSecret(),
            "postgres://user:password@host:5432/database; leave it out for SQLite"),
    DIRECT_DATABASE(
            "store.direct_database",
            text().orElse("none: store.database is PostgreSQL's own address").asSecret(),
            "PostgreSQL's own address, if store.database is a pooler that shares sessions among transactions"),
    CONNECTIONS(
            "store.connections",
            number(2, 200).or(10),
            "how many PostgreSQL connections calls may use at once; the broker has a few more for its own work"),

    REVIEW_LEASE(
            "leases.review_seconds",
            number(1, DAY).or(Kind.REVIEW.lease().toSeconds()),
            "how long a claim on a review lasts without a heartbeat"),
    WORK_LEASE(
            "leases.work_seconds",
            number(1, DAY).or(Kind.WORK.lease().toSeconds()).asHarmless(),
            "how long a claim on a work item lasts without a heartbeat"),
    STEP_LEASE(
            "leases.step_seconds",
            number(1, DAY).or(Kind.STEP.lease().toSeconds()).asHarmless(),
            "how long a claim on a step lasts without a heartbeat"),
    FINALIZATION_LEASE(
            "leases.finalization_seconds",
            number(1, DAY).or(Kind.FINALIZATION.lease().toSeconds()),
            "how long a claim on a finalization lasts"),
    BROKER_LEASE(
            "leases.broker_seconds",
            number(10, DAY).or(Kind.BROKER.lease().toSeconds()),
            "how long a silent broker is considered alive"),
    PATH_LEASE(
            "leases.path_seconds",
            number(1, DAY).or(Kind.PATH.lease().toSeconds()).asHarmless(),
            "how long a claim on a path lasts without a heartbeat"),
    KEY_LEASE(
            "leases.key_seconds",
            number(1, DAY).or(Kind.KEY.lease().toSeconds()).asHarmless(),
            "how long a claim on a key lasts without a heartbeat"),
    RESERVATION_LEASE(
            "leases.reservation_seconds",
            number(1, DAY).or(Kind.RESERVATION.lease().toSeconds()).asHarmless(),
            "how long a reservation lasts without a heartbeat"),
    LONGEST_LEASE(
            "leases.longest_seconds",
            number(1, 2_592_000).or(Leases.defaults().longest().toSeconds()),
            "the longest ttl_seconds that a call may ask for"),
    SWEEP_MOST(
            "leases.sweep_most",
            number(1, 1_000_000).or(Sweeper.Caution.DEFAULT.max()),
            "how many expired claims one sweep reclaims"),
    SWEEP_PAUSE(
            "leases.sweep_pause_seconds",
            number(0, DAY).or(Sweeper.Caution.DEFAULT.pause().toSeconds()),
            "how long sweeps pause when most claims seem to have expired at once; 0: no pause"),

    REQUIRE_FENCE(
            "reviews.require_fence",
            oneOf("always", "managed"),
            "always, or managed: only reviewers of the pool must pass their claim_generation"),
    REQUIRE_READING(
            "reviews.require_reading",
            SettingForm.of(Type.FLAG).orElse("true, or false with require_fence managed"),
            "an approval requires that its reviewer was shown all of the content"),
    REVIEWERS(
            "reviews.reviewers",
            oneOf("any", "known"),
            "who may review: any, or known: only reviewers with a token or a session whose process is known"),
    FORBID_SAME_ENGINE(
            "reviews.forbid_same_engine",
            flag(false),
            "a proposal must be reviewed by a model of a different vendor than its proposer's, or by a person"),
    REQUIRE_CHECK(
            "reviews.require_check",
            flag(false),
            "refuse diffs that git could not check, for example because it has no folder of the project"),
    WORKSPACE("reviews.workspace", text().orElse("the working folder"), "the folder that contains the projects"),
    PROJECTS("reviews.projects", SettingForm.of(Type.FOLDERS), "folders of projects outside the workspace, by name"),
    LONGEST_CLAIM(
            "reviews.longest_claim_seconds",
            number(60, 2_592_000).or(86_400),
            "the longest that one claim on a review may last, even with heartbeats"),
    DIFF_LIMIT(
            "reviews.diff_bytes",
            number(1_024, 536_870_912).or(ReviewLimits.DEFAULT.diffBytes()),
            "the largest diff that is accepted"),
    TEXT_LIMIT(
            "reviews.text_characters",
            number(100, 10_000_000).or(ReviewLimits.DEFAULT.textCharacters()),
            "the longest intent, description, reason or message"),

    POOL_ENGINE(
            "reviewer_pool.engine",
            oneOf("codex", "claude", "rules", "command"),
            "what reviewers run: codex, claude, rules or command"),
    POOL_PROGRAM(
            "reviewer_pool.program",
            text().orElse("codex or claude, from the PATH"),
            "the program of codex or claude, if it is not on the PATH under that name"),
    POOL_COMMAND(
            "reviewer_pool.command",
            SettingForm.of(Type.TEXTS),
            "the program and arguments of the engine command, one word each; {reviewer_id} and others are filled in"),
    POOL_RULES_OFF("reviewer_pool.rules_off", SettingForm.of(Type.TEXTS), "rules that the engine rules skips, by name"),
    POOL_MODEL(
            "reviewer_pool.model",
            text().orElse("gpt-5.3-codex, or sonnet with the engine claude"),
            "the model, one of allowed_models"),
    POOL_MODELS(
            "reviewer_pool.allowed_models",
            SettingForm.of(Type.TEXTS).orElse("the engine's usual ones"),
            "the models that may be used"),
    POOL_MODEL_SETTINGS(
            "reviewer_pool.model_settings",
            SettingForm.of(Type.TEXTS_BY_NAME),
            "settings of codex whose names begin with model_, as TOML"),
    POOL_EFFORT(
            "reviewer_pool.reasoning_effort",
            oneOf("low", "medium", "high").or("high"),
            "how hard the model thinks: low, medium or high"),
    POOL_ENVIRONMENT(
            "reviewer_pool.environment",
            SettingForm.of(Type.TEXTS),
            "names of environment variables to pass on to reviewers"),
    POOL_WORKSPACE(
            "reviewer_pool.workspace_path",
            text().or("auto"),
            "the folder that reviewers read; auto: as reviews.workspace"),
    POOL_SCOPE(
            "reviewer_pool.scope",
            oneOf("folder", "project"),
            "what a reviewer is bound to: folder, all projects whose files it reads, or project, the one it was started for"),
    POOL_WSL_WORKSPACE("reviewer_pool.workspace_wsl_path", text(), "the workspace as WSL knows it; on Windows only"),
    POOL_WSL_DISTRO(
            "reviewer_pool.wsl_distro",
            text().or("Ubuntu"),
            "the distribution of WSL that codex runs in; on Windows only"),
    POOL_PROMPT(
            "reviewer_pool.prompt_template_path",
            text().orElse("the prompt that comes with Holdfast"),
            "a prompt file for reviewers, with placeholders"),
    POOL_SIZE("reviewer_pool.max_pool_size", number(1, 10).or(3), "the maximum number of reviewers"),
    POOL_RATIO(
            "reviewer_pool.scaling_ratio",
            SettingForm.of(Type.DECIMAL).from(1, 1_000).or(3.0),
            "the target number of pending reviews per reviewer"),
    POOL_COOLDOWN(
            "reviewer_pool.spawn_cooldown_seconds",
            number(1, DAY).or(10),
            "the minimum time between two rounds of starting reviewers"),
    POOL_IDLE(
            "reviewer_pool.idle_timeout_seconds",
            number(60, DAY).or(300),
            "how long a reviewer may be idle before it is stopped"),
    POOL_TTL(
            "reviewer_pool.max_ttl_seconds", number(300, 604_800).or(3_600), "the age at which a reviewer is replaced"),
    POOL_CLAIM_TIMEOUT(
            "reviewer_pool.claim_timeout_seconds",
            number(60, DAY).orElse("leases.review_seconds"),
            "the same as leases.review_seconds"),
    POOL_INTERVAL(
            "reviewer_pool.background_check_interval_seconds",
            number(5, 3_600).or(30),
            "how often the pool checks itself when nothing happens"),
    POOL_LIMITS(
            "reviewer_pool.limits",
            SettingForm.of(Type.NUMBERS_BY_NAME)
                    .from(1, 1_000_000)
                    .named("reviews_per_hour", "spawns_per_day")
                    .orElse("no limit"),
            "spending limits of the pool: reviews_per_hour, spawns_per_day"),
    POOL_LOG_BYTES(
            "reviewer_pool.log_bytes",
            number(1_048_576, 1_099_511_627_776L).or(256 << 20),
            "the maximum size of all reviewer logs together; the oldest are deleted first, those of running reviewers never"),

    MAX_PER_AGENT("work.most_per_agent", number(1, 1_000).orElse("no limit"), "how many work items an agent may hold"),
    MAX_ATTEMPTS(
            "work.most_attempts",
            number(1, 1_000).or(WorkItems.Rules.DEFAULT.maxAttempts()),
            "failed attempts after which a work item is parked"),

    WEBHOOK_HOSTS(
            "tasks.webhook_hosts", text().orElse("none"), "hosts that task webhooks may call, separated by commas"),
    WEBHOOK_SECRET("tasks.webhook_secret", text().asSecret(), "signs webhook requests; required with webhook_hosts"),
    WEBHOOK_PATIENCE("tasks.webhook_seconds", number(1, 60).or(10), "how long a webhook call may take"),
    FOLLOW_UP_ATTEMPTS("tasks.most_attempts", number(1, 100).or(10), "how often the follow-up of a task is attempted"),

    KEYS_KEPT("retention.keys_days", number(1, 3_650).or(30), "how long a key without a holder is remembered"),
    EVENTS_KEPT(
            "retention.events_days",
            number(1, 3_650).or(90),
            "how long events are kept; those of a review as long as the review"),
    ATTEMPTS_KEPT(
            "retention.attempts_days", number(1, 3_650).or(30), "how long the log of finalization attempts is kept"),
    SESSIONS_KEPT(
            "retention.sessions_days",
            number(1, 3_650).or(90),
            "how long a session is remembered after it ended or was last seen"),
    REVIEWS_KEPT(
            "retention.reviews_days",
            number(1, 36_500).orElse("forever"),
            "how long closed and withdrawn reviews are kept, with everything in them"),

    BODY_LIMIT(
            "limits.body_bytes",
            number(1_024, 1_073_741_824).orElse("three times the largest diff, plus 2 MB"),
            "the largest request body that is accepted; of a longer hook call, only this much is read"),
    CALL_RATE(
            "limits.calls_per_second",
            number(1, 1_000_000).or(500),
            "how many calls a second one token, or one address of another machine, may make; further calls are answered with busy"),
    CALLS_AT_ONCE(
            "limits.concurrent_calls",
            number(1, 1_000_000).or(2_000),
            "how many calls of one token, or one address of another machine, may run or wait at the same time"),
    OPEN_CONNECTIONS(
            "limits.connections",
            number(1, 1_000_000).or(20_000),
            "how many connections of other machines may be open at the same time; further ones are closed at once"),
    OPEN_CONNECTIONS_OF_ADDRESS(
            "limits.connections_per_address",
            number(1, 1_000_000).or(4_000),
            "how many of them may come from one address that is not a trusted proxy's"),
    WAIT_LIMIT("limits.wait_seconds", number(1, 55).or(55), "the longest wait_seconds that a call may ask for"),
    LIST_LIMIT("limits.list", number(1, 10_000).or(1_000), "the longest list that one call returns");

    /** The type of a setting's value. */
    public enum Type {
        TEXT,
        NUMBER,
        FLAG,
        /** A number that may have decimals. */
        DECIMAL,
        TEXTS,
        TEXTS_BY_NAME,
        NUMBERS_BY_NAME,
        /** Paths by name. */
        FOLDERS
    }

    private final String path;
    private final SettingForm form;
    private final String meaning;

    Setting(String path, SettingForm form, String meaning) {
        this.path = path;
        this.form = form;
        this.meaning = meaning;
    }

    /** Its position in the file: section and key, separated by a dot. */
    public String path() {
        return path;
    }

    public String section() {
        return path.substring(0, path.indexOf('.'));
    }

    public String key() {
        return path.substring(path.indexOf('.') + 1);
    }

    SettingForm form() {
        return form;
    }

    /** Whether it is a whole number. */
    boolean isNumber() {
        return form.type() == Type.NUMBER;
    }

    public String meaning() {
        return meaning;
    }

    /** Settings from lower-priority sources that have no effect once this one is given. */
    Set<Setting> replaces() {
        return switch (this) {
            case POOL_ENGINE ->
                Set.of(POOL_PROGRAM, POOL_COMMAND, POOL_RULES_OFF, POOL_MODEL, POOL_MODELS, POOL_MODEL_SETTINGS);
            case POOL_CLAIM_TIMEOUT -> Set.of(REVIEW_LEASE);
            case REVIEW_LEASE -> Set.of(POOL_CLAIM_TIMEOUT);
            default -> Set.of();
        };
    }

    static Setting lease(Kind kind) {
        return valueOf(kind.name() + "_LEASE");
    }

    static Optional<Setting> of(String path) {
        return Arrays.stream(values())
                .filter(setting -> setting.path.equals(path))
                .findFirst();
    }

    static List<String> sections() {
        return Arrays.stream(values()).map(Setting::section).distinct().toList();
    }

    static List<Setting> in(String section) {
        return Arrays.stream(values())
                .filter(setting -> setting.section().equals(section))
                .toList();
    }

    static List<String> keys(String section) {
        return in(section).stream().map(Setting::key).toList();
    }

    /** What is wrong with this value, if anything. */
    Optional<String> problem(Object value) {
        if (value instanceof Number given) {
            return given.doubleValue() >= form.min() && given.doubleValue() <= form.max()
                    ? Optional.empty()
                    : Optional.of(path + ": must be from " + form.min() + " to " + form.max() + ", not " + given);
        }
        return value.toString().isBlank()
                ? Optional.of(path + ": must not be blank; leave it out for the default")
                : Optional.empty();
    }
}
