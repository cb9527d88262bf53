package dev.holdfast.broker.config;

import dev.holdfast.claim.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Everything that can be set, in the order of the configuration file; config.schema.json tells the same to editors. */
public enum Setting {
    HOST("server.host", "the address to listen on; anything but loopback needs tokens"),
    PORT("server.port", 0, 65_535, "the port to listen on; 0 picks a free one"),

    DATA("store.data", "the folder of the SQLite store"),
    DATABASE("store.database", "postgres://user:password@host:5432/database; leave it out for SQLite"),
    CONNECTIONS("store.connections", 2, 200, "how many PostgreSQL connections at most"),

    REVIEW_LEASE("leases.review_seconds", 1, 86_400, "how long a claim on a review runs without a heartbeat"),
    WORK_LEASE("leases.work_seconds", 1, 86_400, "how long a claim on a work item runs without a heartbeat"),
    STEP_LEASE("leases.step_seconds", 1, 86_400, "how long a claim on a step runs without a heartbeat"),
    FINALIZATION_LEASE("leases.finalization_seconds", 1, 86_400, "how long a claim on a finalization runs"),
    BROKER_LEASE("leases.broker_seconds", 10, 86_400, "how long a broker that is silent counts as alive"),
    PATH_LEASE("leases.path_seconds", 1, 86_400, "how long a claim on a path runs without a heartbeat"),
    KEY_LEASE("leases.key_seconds", 1, 86_400, "how long a claim on a key runs without a heartbeat"),
    RESERVATION_LEASE("leases.reservation_seconds", 1, 86_400, "how long a reservation runs without a heartbeat"),
    LONGEST_LEASE("leases.longest_seconds", 1, 2_592_000, "the longest ttl_seconds that a call may ask for"),

    SWEEP_MOST("leases.sweep_most", 1, 1_000_000, "how many claims that ran out one sweep takes back"),
    SWEEP_PAUSE(
            "leases.sweep_pause_seconds",
            0,
            86_400,
            "how long sweeps wait when most claims seem to have run out at once; 0: they do not"),

    REQUIRE_FENCE("reviews.require_fence", "always, or managed: only reviewers of the pool must show their claim"),
    WORKSPACE("reviews.workspace", "the folder that projects are looked for in; left out: the working folder"),
    PROJECTS("reviews.projects", Type.FOLDERS, 0, 0, "the folders of projects that are not in the workspace, by name"),
    DIFF_LIMIT("reviews.diff_bytes", 1_024, 536_870_912, "the largest diff that is taken"),
    TEXT_LIMIT("reviews.text_characters", 100, 10_000_000, "the longest intent, description, reason or message"),

    MOST_PER_AGENT("work.most_per_agent", 1, 1_000, "how many work items an agent may hold; left out: any number"),
    MOST_ATTEMPTS("work.most_attempts", 1, 1_000, "failed attempts after which a work item is parked"),

    KEYS_KEPT("retention.keys_days", 1, 3_650, "how long a key that nobody holds is remembered"),
    EVENTS_KEPT("retention.events_days", 1, 3_650, "how long events are kept; those of a review as long as the review"),
    REVIEWS_KEPT(
            "retention.reviews_days",
            1,
            36_500,
            "how long closed and withdrawn reviews are kept, with all they hold; left out: for ever"),

    BODY_LIMIT(
            "limits.body_bytes",
            1_024,
            1_073_741_824,
            "the largest request that is read; left out: three times the largest diff, and 2 MB"),
    WAIT_LIMIT("limits.wait_seconds", 1, 55, "the longest wait_seconds that a call may ask for"),
    LIST_LIMIT("limits.list", 1, 10_000, "the longest list that one call returns");

    /** What a setting's value is. */
    public enum Type {
        TEXT,
        NUMBER,
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
        return value.toString().isBlank()
                ? Optional.of(path + ": must not be blank; leave it out for the default")
                : Optional.empty();
    }
}
