package dev.holdfast.broker.config;

import dev.holdfast.broker.task.Webhooks;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Leases;
import dev.holdfast.claim.Sweeper;
import dev.holdfast.review.approval.ReviewerRules;
import dev.holdfast.review.queue.RequireFence;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.store.PostgresDatabase;
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
 * How a broker runs. Made from {@link Settings}; this class fills in the defaults for missing ones.
 *
 * @param pool null: the broker runs no reviewers
 * @param given all values that are not defaults, without secrets, each with its source
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

    /**
     * @param state the folder with the token of the broker's user
     * @param tls null: none
     * @param trustedProxies the proxies whose forwarding headers are believed
     * @param drain how long it keeps answering after it has announced its stop
     */
    public record Server(
            String host,
            int port,
            LoopbackAccess loopback,
            Path state,
            @Nullable Tls tls,
            List<CidrBlock> trustedProxies,
            Duration drain) {
        /** A server for this machine only. */
        public Server(String host, int port, LoopbackAccess loopback, Path state) {
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
     * @param database the address of PostgreSQL, or of a pooler in front of it; null: SQLite in the data folder
     * @param direct PostgreSQL's own address, if the other is that of a pooler that shares sessions
     */
    public record Storage(
            Path data, @Nullable String database, @Nullable String direct, int connections) {
        /** The address for what needs its own session, such as a backup; null: SQLite. */
        public @Nullable String withoutPooler() {
            return direct == null ? database : direct;
        }
    }

    /**
     * @param requireReading whether an approval requires that all content was read
     * @param reviewers who may review
     * @param requireCheck whether to reject a diff that git could not check
     * @param workspace the folder in which to look for projects; null: none
     * @param workspaceGiven whether it was set explicitly; otherwise it is the working folder
     * @param projects the folders of other projects, by name
     * @param longestClaim how long one claim may hold a review, however often it is renewed
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

    /** @param reviews how long closed reviews are kept; empty: forever */
    public record Kept(
            Duration keys, Duration events, Duration attempts, Duration sessions, Optional<Duration> reviews) {}

    /**
     * @param callsPerSecond per caller
     * @param concurrentCalls per caller
     */
    public record Limits(
            int bodyBytes,
            Duration longestWait,
            int longestList,
            int callsPerSecond,
            int concurrentCalls,
            int connections,
            int connectionsPerAddress) {}

    /** A broker for tests and experiments: SQLite in this folder, on any free port. */
    public static Config in(Path folder) {
        return in(folder, new Settings());
    }

    /** The same with further settings. Stores nothing outside this folder. */
    public static Config in(Path folder, Settings further) {
        Settings settings =
                further.over(new Settings().put(Setting.DATA, folder.toString()).put(Setting.PORT, 0L));
        return of(settings, Path.of("").toAbsolutePath(), new UserFolders(folder, folder, folder.resolve("state")));
    }

    /** @throws ConfigException listing every problem */
    public static Config of(Settings given) {
        return of(given, Path.of("").toAbsolutePath());
    }

    /**
     * @param workingFolder the default workspace; null: the broker belongs to no folder
     * @throws ConfigException listing every problem
     */
    public static Config of(Settings given, @Nullable Path workingFolder) {
        return of(given, workingFolder, UserFolders.ofThisUser());
    }

    private static Config of(Settings given, @Nullable Path workingFolder, UserFolders folders) {
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
                        "token".equals(settings.text(Setting.LOOPBACK)) ? LoopbackAccess.TOKEN : LoopbackAccess.OPEN,
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
                        settings.givenNumber(Setting.MAX_PER_AGENT)
                                .map(Math::toIntExact)
                                .orElse(null),
                        settings.whole(Setting.MAX_ATTEMPTS)),
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
                        settings.whole(Setting.CALLS_AT_ONCE),
                        settings.whole(Setting.OPEN_CONNECTIONS),
                        settings.whole(Setting.OPEN_CONNECTIONS_OF_ADDRESS)),
                given.shown());
    }

    private static void checkDatabase(Settings settings, Setting setting, List<String> problems) {
        String database = settings.text(setting);
        if (database == null) {
            return;
        }
        try {
            PostgresDatabase.checkAddress(database);
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

    /** JSON can turn two bytes of a diff into six, and the body has other texts too. */
    private static long usualBody(Reviewing reviews) {
        return Math.min(
                3L * reviews.limits().diffBytes() + 2 * MEGABYTE,
                Setting.BODY_LIMIT.form().max());
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
                // the predecessor's clients, for which "managed" exists, do not say who reads
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
            // callers do not request a broker's own lease, so their limit does not apply to it
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
