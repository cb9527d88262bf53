package dev.holdfast.broker.config;

import dev.holdfast.claim.Kind;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Everything that can be set, in the order of the configuration file; config.schema.json tells the same to editors. */
public enum Setting {
    HOST("server.host", "the address to listen on; anything but loopback needs tokens"),
    PORT("server.port", 0, 65_535, "the port to listen on; 0 picks a free one"),
    LOOPBACK("server.loopback", "open, or token: only answer programs of the broker's own user"),

    DATA("store.data", "the folder of the SQLite store"),
    DATABASE("store.database", "postgres://user:password@host:5432/database; leave it out for SQLite"),
    CONNECTIONS("store.connections", 2, 200, "the maximum number of PostgreSQL connections"),

    REVIEW_LEASE("leases.review_seconds", 1, 86_400, "how long a claim on a review lasts without a heartbeat"),
    WORK_LEASE("leases.work_seconds", 1, 86_400, "how long a claim on a work item lasts without a heartbeat"),
    STEP_LEASE("leases.step_seconds", 1, 86_400, "how long a claim on a step lasts without a heartbeat"),
    FINALIZATION_LEASE("leases.finalization_seconds", 1, 86_400, "how long a claim on a finalization lasts"),
    BROKER_LEASE("leases.broker_seconds", 10, 86_400, "how long a silent broker is considered alive"),
    PATH_LEASE("leases.path_seconds", 1, 86_400, "how long a claim on a path lasts without a heartbeat"),
    KEY_LEASE("leases.key_seconds", 1, 86_400, "how long a claim on a key lasts without a heartbeat"),
    RESERVATION_LEASE("leases.reservation_seconds", 1, 86_400, "how long a reservation lasts without a heartbeat"),
    LONGEST_LEASE("leases.longest_seconds", 1, 2_592_000, "the longest ttl_seconds that a call may ask for"),

    SWEEP_MOST("leases.sweep_most", 1, 1_000_000, "how many expired claims one sweep takes back"),
    SWEEP_PAUSE(
            "leases.sweep_pause_seconds",
            0,
            86_400,
            "how long sweeps pause when most claims seem to have expired at once; 0: no pause"),

    REQUIRE_FENCE(
            "reviews.require_fence", "always, or managed: only reviewers of the pool must pass their claim_generation"),
    REQUIRE_READING(
            "reviews.require_reading",
            Type.FLAG,
            0,
            0,
            "approving requires having been shown all of the content; default: true, or false with require_fence managed"),
    REVIEWERS(
            "reviews.reviewers",
            "who may review: any, or known: only reviewers with a token or a session whose process is known"),
    FORBID_SAME_ENGINE(
            "reviews.forbid_same_engine",
            Type.FLAG,
            0,
            0,
            "a proposal must be reviewed by another make of model than its proposer's, or by a person"),
    REQUIRE_CHECK(
            "reviews.require_check",
            Type.FLAG,
            0,
            0,
            "refuse diffs that git could not check, for want of the project's repository for example; default: false"),
    WORKSPACE("reviews.workspace", "the folder that contains the projects; default: the working folder"),
    PROJECTS("reviews.projects", Type.FOLDERS, 0, 0, "folders of projects outside the workspace, by name"),
    LONGEST_CLAIM(
            "reviews.longest_claim_seconds",
            60,
            2_592_000,
            "the longest one claim may hold a review, even with heartbeats"),
    DIFF_LIMIT("reviews.diff_bytes", 1_024, 536_870_912, "the largest diff that is accepted"),
    TEXT_LIMIT("reviews.text_characters", 100, 10_000_000, "the longest intent, description, reason or message"),

    POOL_ENGINE("reviewer_pool.engine", "what reviewers run: codex, claude, rules or command"),
    POOL_PROGRAM("reviewer_pool.program", "the program of codex or claude, if it is not in the PATH by that name"),
    POOL_COMMAND(
            "reviewer_pool.command",
            Type.TEXTS,
            0,
            0,
            "the program and arguments of the engine command, one word each; {reviewer_id} and others are filled in"),
    POOL_RULES_OFF("reviewer_pool.rules_off", Type.TEXTS, 0, 0, "rules that the engine rules skips, by name"),
    POOL_MODEL("reviewer_pool.model", "the model, one of allowed_models"),
    POOL_MODELS("reviewer_pool.allowed_models", Type.TEXTS, 0, 0, "the models that may be used"),
    POOL_MODEL_SETTINGS(
            "reviewer_pool.model_settings",
            Type.TEXTS_BY_NAME,
            0,
            0,
            "settings of codex whose names begin with model_, as TOML"),
    POOL_EFFORT("reviewer_pool.reasoning_effort", "how hard the model thinks: low, medium or high"),
    POOL_ENVIRONMENT(
            "reviewer_pool.environment",
            Type.TEXTS,
            0,
            0,
            "variables of the broker's environment that reviewers get too, by name"),
    POOL_WORKSPACE("reviewer_pool.workspace_path", "the folder that reviewers read; auto: as reviews.workspace"),
    POOL_SCOPE(
            "reviewer_pool.scope",
            "what a reviewer is bound to: folder, all projects whose files it reads, or project, the one it was started for"),
    POOL_WSL_WORKSPACE("reviewer_pool.workspace_wsl_path", "the workspace as WSL knows it; on Windows only"),
    POOL_WSL_DISTRO("reviewer_pool.wsl_distro", "the distribution of WSL that codex runs in; on Windows only"),
    POOL_PROMPT(
            "reviewer_pool.prompt_template_path",
            "a prompt file for reviewers, with placeholders; default: the prompt that comes with Holdfast"),
    POOL_SIZE("reviewer_pool.max_pool_size", 1, 10, "the maximum number of reviewers"),
    POOL_RATIO(
            "reviewer_pool.scaling_ratio", Type.DECIMAL, 1, 1_000, "the target number of pending reviews per reviewer"),
    POOL_COOLDOWN(
            "reviewer_pool.spawn_cooldown_seconds",
            1,
            86_400,
            "the minimum time between two rounds of starting reviewers"),
    POOL_IDLE("reviewer_pool.idle_timeout_seconds", 60, 86_400, "how long a reviewer may be idle before it is stopped"),
    POOL_TTL("reviewer_pool.max_ttl_seconds", 300, 604_800, "the age at which a reviewer is replaced"),
    POOL_CLAIM_TIMEOUT("reviewer_pool.claim_timeout_seconds", 60, 86_400, "the same as leases.review_seconds"),
    POOL_INTERVAL(
            "reviewer_pool.background_check_interval_seconds",
            5,
            3_600,
            "how often the pool checks itself when nothing happens"),
    POOL_LIMITS(
            "reviewer_pool.limits",
            Type.NUMBERS_BY_NAME,
            1,
            1_000_000,
            "spending limits of the pool: reviews_per_hour, spawns_per_day"),
    POOL_LOG_BYTES(
            "reviewer_pool.log_bytes",
            1_048_576,
            1_099_511_627_776L,
            "the maximum size of all reviewer logs together; the oldest are deleted first, those of running reviewers never"),

    MOST_PER_AGENT("work.most_per_agent", 1, 1_000, "how many work items an agent may hold; default: no limit"),
    MOST_ATTEMPTS("work.most_attempts", 1, 1_000, "failed attempts after which a work item is parked"),

    WEBHOOK_HOSTS("tasks.webhook_hosts", "hosts that task webhooks may call, separated by commas; default: none"),
    WEBHOOK_SECRET("tasks.webhook_secret", "signs webhook requests; required with webhook_hosts"),
    WEBHOOK_PATIENCE("tasks.webhook_seconds", 1, 60, "how long a webhook call may take"),
    FOLLOW_UP_ATTEMPTS("tasks.most_attempts", 1, 100, "how often the follow-up of a task is attempted"),

    KEYS_KEPT("retention.keys_days", 1, 3_650, "how long a key without a holder is remembered"),
    EVENTS_KEPT("retention.events_days", 1, 3_650, "how long events are kept; those of a review as long as the review"),
    ATTEMPTS_KEPT("retention.attempts_days", 1, 3_650, "how long the log of finalization attempts is kept"),
    SESSIONS_KEPT(
            "retention.sessions_days", 1, 3_650, "how long a session is remembered after it ended or was last seen"),
    REVIEWS_KEPT(
            "retention.reviews_days",
            1,
            36_500,
            "how long closed and withdrawn reviews are kept, with everything in them; default: forever"),

    BODY_LIMIT(
            "limits.body_bytes",
            1_024,
            1_073_741_824,
            "the largest request that is accepted; default: three times the largest diff, plus 2 MB"),
    WAIT_LIMIT("limits.wait_seconds", 1, 55, "the longest wait_seconds that a call may ask for"),
    LIST_LIMIT("limits.list", 1, 10_000, "the longest list that one call returns");

    /** What a setting's value is. */
    public enum Type {
        TEXT,
        NUMBER,
        FLAG,
        /** A number that need not be whole. */
        DECIMAL,
        TEXTS,
        TEXTS_BY_NAME,
        NUMBERS_BY_NAME,
        /** Paths by name. */
        FOLDERS
    }

    private final String path;
    private final Type type;
    private final long least;
    private final long most;
    private final String meaning;

    Setting(String path, String meaning) {
        this(path, Type.TEXT, 0, 0, meaning);
    }

    Setting(String path, long least, long most, String meaning) {
        this(path, Type.NUMBER, least, most, meaning);
    }

    Setting(String path, Type type, long least, long most, String meaning) {
        this.path = path;
        this.type = type;
        this.least = least;
        this.most = most;
        this.meaning = meaning;
    }

    /** Where it stands in the file: section and key, with a dot between. */
    public String path() {
        return path;
    }

    public String section() {
        return path.substring(0, path.indexOf('.'));
    }

    public String key() {
        return path.substring(path.indexOf('.') + 1);
    }

    public Type type() {
        return type;
    }

    /** Whether it is a whole number. */
    public boolean number() {
        return type == Type.NUMBER;
    }

    public long least() {
        return least;
    }

    public long most() {
        return most;
    }

    public String meaning() {
        return meaning;
    }

    /**
     * Whether it may count from the file of a working folder that nobody has trusted. So few do because a setting is
     * harmless only if no value of it starts or names anything, costs money, shows, stores or deletes anything, or lowers
     * a guard or limit. These are what a claim gets whose caller names no ttl_seconds, and any caller may name one.
     * {@link #REVIEW_LEASE} is none of them: the pool ends reviewers by it.
     */
    boolean isHarmless() {
        return EnumSet.of(WORK_LEASE, STEP_LEASE, PATH_LEASE, KEY_LEASE, RESERVATION_LEASE)
                .contains(this);
    }

    /** Settings that mean nothing any more, coming from a source that counts less, once this one is given. */
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

    static List<String> keys(String section) {
        return Arrays.stream(values())
                .filter(setting -> setting.section().equals(section))
                .map(Setting::key)
                .toList();
    }

    /** What is wrong with this value, if anything. */
    Optional<String> problem(Object value) {
        if (value instanceof Long given) {
            return given >= least && given <= most
                    ? Optional.empty()
                    : Optional.of(path + ": must be from " + least + " to " + most + ", not " + given);
        }
        if (value instanceof Double given) {
            return given >= least && given <= most
                    ? Optional.empty()
                    : Optional.of(path + ": must be from " + least + " to " + most + ", not " + given);
        }
        return value.toString().isBlank()
                ? Optional.of(path + ": must not be blank; leave it out for the default")
                : Optional.empty();
    }
}
