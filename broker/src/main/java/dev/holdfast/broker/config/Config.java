package dev.holdfast.broker.config;

import dev.holdfast.broker.task.Webhooks;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Leases;
import dev.holdfast.claim.Sweeper;
import dev.holdfast.review.approval.ReviewerRules;
import dev.holdfast.review.queue.RequireFence;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.StoreException;
import dev.holdfast.work.WorkItems;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a broker runs. Made from {@link Settings}, whose gaps are filled with the defaults that stand here.
 *
 * @param pool null: the broker runs no reviewers of its own
 * @param given what is not a default, without secrets, and where it is from
 */
public record Config(
        Server server,
        Storage store,
        Leases leases,
        Sweeper.Caution sweeps,
        Reviewing reviews,
        @Nullable PoolConfig pool,
        WorkItems.Rules work,
        Webhooks.Rules tasks,
        Kept retention,
        Limits limits,
        List<Settings.Shown> given) {
    private static final long MEGABYTE = 1 << 20;

    /** For who makes one without settings. */
    public Config(
            Server server,
            Storage store,
            Leases leases,
            Sweeper.Caution sweeps,
            Reviewing reviews,
            @Nullable PoolConfig pool,
            WorkItems.Rules work,
            Webhooks.Rules tasks,
            Kept retention,
            Limits limits) {
        this(server, store, leases, sweeps, reviews, pool, work, tasks, retention, limits, List.of());
    }

    /**
     * @param state the folder that has the token of the broker's user
     * @param tls null: none
     * @param trustedProxies whose word on where a request comes from counts
     * @param drain how long it answers after it has said that it is about to stop
     */
    public record Server(
            String host,
            int port,
            Loopback loopback,
            Path state,
            @Nullable Tls tls,
            List<CidrBlock> trustedProxies,
            Duration drain) {
        /** One on this machine only. */
        public Server(String host, int port, Loopback loopback, Path state) {
            this(host, port, loopback, state, null, List.of(), Duration.ZERO);
        }

        public Server {
            trustedProxies = List.copyOf(trustedProxies);
        }

        /**
         * Whether other machines can reach it without a proxy.
         *
         * @throws UnknownHostException when there is no such address
         */
        public boolean reachable() throws UnknownHostException {
            return !InetAddress.getByName(host).isLoopbackAddress();
        }
    }

    /** PEM files. */
    public record Tls(Path certificate, Path key) {}

    /**
     * @param database where PostgreSQL is, or a pooler before it; null: SQLite in the data folder
     * @param direct PostgreSQL's own address, where the other one is that of a pooler which shares sessions
     */
    public record Storage(
            Path data, @Nullable String database, @Nullable String direct, int connections) {
        /** For what needs a session of its own, such as a backup; null: SQLite. */
        public @Nullable String withoutPooler() {
            return direct == null ? database : direct;
        }
    }

    /**
     * @param requireReading an approval needs all of the content read
     * @param reviewers who may judge
     * @param requireCheck a diff that git could not check is not taken
     * @param workspace the folder that projects are looked for in; null: there is none
     * @param workspaceGiven somebody has named it; otherwise it is the working folder
     * @param projects the folders of other projects, by name
     * @param longestClaim how long a review may be held in one claim, however often it is renewed
     */
    public record Reviewing(
            RequireFence requireFence,
            boolean requireReading,
            ReviewerRules reviewers,
            boolean requireCheck,
            @Nullable Path workspace,
            boolean workspaceGiven,
            Map<String, Path> projects,
            Duration longestClaim,
            ReviewLimits limits) {}

    /** @param reviews how long reviews that are over are kept; empty: for ever */
    public record Kept(
            Duration keys, Duration events, Duration attempts, Duration sessions, Optional<Duration> reviews) {}

    /**
     * @param callsPerSecond of one caller
     * @param concurrentCalls of one caller
     */
    public record Limits(
            int bodyBytes, Duration longestWait, int longestList, int callsPerSecond, int concurrentCalls) {}

    /** A broker for tests and experiments: SQLite in this folder, on any free port. */
    public static Config in(Path folder) {
        return in(folder, new Settings());
    }

    /** The same with further settings. Nothing is kept elsewhere than in this folder. */
    public static Config in(Path folder, Settings further) {
        Settings settings =
                further.over(new Settings().put(Setting.DATA, folder.toString()).put(Setting.PORT, 0L));
        return of(settings, Path.of("").toAbsolutePath(), new Folders(folder, folder, folder.resolve("state")));
    }

    /**
     * @throws ConfigException naming every problem, if there is any
     */
    public static Config of(Settings given) {
        return of(given, Path.of("").toAbsolutePath());
    }

    /**
     * @param workingFolder the workspace, unless another is given; null: a broker that belongs to no folder
     * @throws ConfigException naming every problem, if there is any
     */
    public static Config of(Settings given, @Nullable Path workingFolder) {
        return of(given, workingFolder, Folders.ofThisUser());
    }

    private static Config of(Settings given, @Nullable Path workingFolder, Folders folders) {
        List<String> problems = new ArrayList<>(given.problems());
        problems.addAll(given.wrongChoices());
        Settings settings = PoolConfig.withClaimTimeout(given, problems);
        Leases leases = leases(settings, problems);
        Reviewing reviews = reviews(settings, workingFolder, problems);
        boolean windows =
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");
        PoolConfig pool =
                PoolConfig.of(settings, reviews.workspace(), windows, problems).orElse(null);
        Webhooks.Rules tasks = tasks(settings, problems);
        Tls tls = tls(settings, problems);
        List<CidrBlock> proxies = proxies(settings, problems);
        checkDatabase(settings, Setting.DATABASE, problems);
        checkDatabase(settings, Setting.DIRECT_DATABASE, problems);
        if (settings.text(Setting.DIRECT_DATABASE) != null && settings.text(Setting.DATABASE) == null) {
            problems.add(Setting.DIRECT_DATABASE.path() + ": given without " + Setting.DATABASE.path()
                    + ", which names the pooler; without a pooler, name PostgreSQL there");
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return new Config(
                new Server(
                        settings.textOrDefault(Setting.HOST),
                        settings.whole(Setting.PORT),
                        "token".equals(settings.text(Setting.LOOPBACK)) ? Loopback.TOKEN : Loopback.OPEN,
                        folders.state(),
                        tls,
                        proxies,
                        settings.seconds(Setting.DRAIN)),
                new Storage(
                        settings.folder(Setting.DATA).orElseGet(folders::data),
                        settings.text(Setting.DATABASE),
                        settings.text(Setting.DIRECT_DATABASE),
                        settings.whole(Setting.CONNECTIONS)),
                leases,
                new Sweeper.Caution(settings.whole(Setting.SWEEP_MOST), settings.seconds(Setting.SWEEP_PAUSE)),
                reviews,
                pool,
                new WorkItems.Rules(
                        settings.givenNumber(Setting.MOST_PER_AGENT)
                                .map(Math::toIntExact)
                                .orElse(null),
                        settings.whole(Setting.MOST_ATTEMPTS)),
                tasks,
                new Kept(
                        settings.days(Setting.KEYS_KEPT),
                        settings.days(Setting.EVENTS_KEPT),
                        settings.days(Setting.ATTEMPTS_KEPT),
                        settings.days(Setting.SESSIONS_KEPT),
                        settings.givenNumber(Setting.REVIEWS_KEPT).map(Duration::ofDays)),
                new Limits(
                        Math.toIntExact(settings.givenNumber(Setting.BODY_LIMIT).orElseGet(() -> usualBody(reviews))),
                        settings.seconds(Setting.WAIT_LIMIT),
                        settings.whole(Setting.LIST_LIMIT),
                        settings.whole(Setting.CALL_RATE),
                        settings.whole(Setting.CALLS_AT_ONCE)),
                given.shown());
    }

    private static void checkDatabase(Settings settings, Setting setting, List<String> problems) {
        String database = settings.text(setting);
        if (database == null) {
            return;
        }
        try {
            PostgresStore.checkAddress(database);
        } catch (StoreException e) {
            problems.add(setting.path() + ": " + e.getMessage());
        }
    }

    private static @Nullable Tls tls(Settings settings, List<String> problems) {
        Optional<Path> certificate = settings.folder(Setting.TLS_CERTIFICATE);
        Optional<Path> key = settings.folder(Setting.TLS_KEY);
        if (certificate.isPresent() != key.isPresent()) {
            problems.add((key.isPresent() ? Setting.TLS_CERTIFICATE : Setting.TLS_KEY).path()
                    + ": missing; TLS needs the certificate and its key");
        }
        return certificate.isPresent() && key.isPresent() ? new Tls(certificate.get(), key.get()) : null;
    }

    private static List<CidrBlock> proxies(Settings settings, List<String> problems) {
        List<CidrBlock> proxies = new ArrayList<>();
        for (String text : settings.texts(Setting.TRUSTED_PROXIES)) {
            CidrBlock.parse(text)
                    .ifPresentOrElse(
                            proxies::add,
                            () -> problems.add(Setting.TRUSTED_PROXIES.path() + ": '" + text
                                    + "' is not an address such as 10.0.0.7, or a network such as 10.0.0.0/24"));
        }
        return proxies;
    }

    /** As JSON, two bytes of a diff may become six; and there are the other texts. */
    private static long usualBody(Reviewing reviews) {
        return Math.min(
                3L * reviews.limits().diffBytes() + 2 * MEGABYTE,
                Setting.BODY_LIMIT.form().most());
    }

    private static Webhooks.Rules tasks(Settings settings, List<String> problems) {
        String hosts = settings.text(Setting.WEBHOOK_HOSTS);
        String secret = settings.text(Setting.WEBHOOK_SECRET);
        if (hosts != null && secret == null) {
            problems.add(Setting.WEBHOOK_SECRET.path()
                    + ": missing; the called host needs it to verify that the call comes from" + " this broker");
        }
        Set<String> allowed = new LinkedHashSet<>();
        for (String host :
                hosts == null ? new String[0] : hosts.toLowerCase(Locale.ROOT).split(",", -1)) {
            if (!host.isBlank()) {
                allowed.add(host.strip());
            }
        }
        return new Webhooks.Rules(
                allowed,
                secret == null ? "" : secret,
                settings.seconds(Setting.WEBHOOK_PATIENCE),
                settings.whole(Setting.FOLLOW_UP_ATTEMPTS));
    }

    private static Reviewing reviews(Settings settings, @Nullable Path workingFolder, List<String> problems) {
        boolean managed = "managed".equals(settings.text(Setting.REQUIRE_FENCE));
        return new Reviewing(
                managed ? RequireFence.MANAGED : RequireFence.ALWAYS,
                // the predecessor's clients, which managed is for, do not say who reads
                settings.givenFlag(Setting.REQUIRE_READING).orElse(!managed),
                new ReviewerRules(
                        "known".equals(settings.text(Setting.REVIEWERS)), settings.flag(Setting.FORBID_SAME_ENGINE)),
                settings.flag(Setting.REQUIRE_CHECK),
                settings.folder(Setting.WORKSPACE).orElse(workingFolder),
                settings.has(Setting.WORKSPACE),
                projects(settings, problems),
                settings.seconds(Setting.LONGEST_CLAIM),
                new ReviewLimits(settings.whole(Setting.DIFF_LIMIT), settings.whole(Setting.TEXT_LIMIT)));
    }

    private static Map<String, Path> projects(Settings settings, List<String> problems) {
        Map<String, Path> projects = settings.folders(Setting.PROJECTS);
        projects.forEach((name, folder) -> {
            if (!Files.isDirectory(folder)) {
                problems.add(Setting.PROJECTS.path() + ": the folder of " + name + " does not exist: " + folder);
            }
        });
        return projects;
    }

    private static Leases leases(Settings settings, List<String> problems) {
        long longest = settings.number(Setting.LONGEST_LEASE);
        Map<Kind, Duration> byKind = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            Setting setting = Setting.lease(kind);
            // a broker's own lease is not asked for by callers, so their limit does not cut it
            long limit = kind == Kind.BROKER ? Long.MAX_VALUE : longest;
            long seconds = settings.givenNumber(setting).orElseGet(() -> Math.min(settings.number(setting), limit));
            if (seconds > limit) {
                problems.add(setting.path() + ": " + seconds + " is longer than " + Setting.LONGEST_LEASE.path()
                        + ", which is " + limit);
            }
            byKind.put(kind, Duration.ofSeconds(seconds));
        }
        return new Leases(byKind, Duration.ofSeconds(longest));
    }
}
