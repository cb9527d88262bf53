package dev.holdfast.broker.config;

import dev.holdfast.broker.task.Webhooks;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Leases;
import dev.holdfast.claim.Sweeper;
import dev.holdfast.review.approval.ReviewerRules;
import dev.holdfast.review.queue.RequireFence;
import dev.holdfast.work.WorkItems;
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
        Limits limits) {
    private static final long MEGABYTE = 1 << 20;

    /** @param state the folder that has the token of the broker's user */
    public record Server(String host, int port, Loopback loopback, Path state) {}

    /** @param database where PostgreSQL is; null: SQLite in the data folder */
    public record Storage(Path data, @Nullable String database, int connections) {}

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
            dev.holdfast.review.record.ReviewLimits limits) {}

    /** @param reviews how long reviews that are over are kept; empty: for ever */
    public record Kept(
            Duration keys, Duration events, Duration attempts, Duration sessions, Optional<Duration> reviews) {}

    public record Limits(int bodyBytes, Duration longestWait, int longestList) {}

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
        Settings settings = PoolConfig.withClaimTimeout(given, problems);
        Leases leases = leases(settings, problems);
        Reviewing reviews = reviews(settings, workingFolder, problems);
        boolean windows =
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");
        PoolConfig pool =
                PoolConfig.of(settings, reviews.workspace(), windows, problems).orElse(null);
        Webhooks.Rules tasks = tasks(settings, problems);
        Server server = server(settings, folders, problems);
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return new Config(
                server,
                new Storage(
                        settings.folder(Setting.DATA).orElseGet(folders::data), settings.text(Setting.DATABASE), (int)
                                settings.number(Setting.CONNECTIONS, 10)),
                leases,
                sweeps(settings),
                reviews,
                pool,
                work(settings),
                tasks,
                new Kept(
                        Duration.ofDays(settings.number(Setting.KEYS_KEPT, 30)),
                        Duration.ofDays(settings.number(Setting.EVENTS_KEPT, 90)),
                        Duration.ofDays(settings.number(Setting.ATTEMPTS_KEPT, 30)),
                        Duration.ofDays(settings.number(Setting.SESSIONS_KEPT, 90)),
                        settings.number(Setting.REVIEWS_KEPT).map(Duration::ofDays)),
                new Limits(
                        (int) settings.number(Setting.BODY_LIMIT, usualBody(reviews)),
                        Duration.ofSeconds(settings.number(Setting.WAIT_LIMIT, 55)),
                        (int) settings.number(Setting.LIST_LIMIT, 1_000)));
    }

    private static Server server(Settings settings, Folders folders, List<String> problems) {
        String host = settings.text(Setting.HOST);
        String loopback = settings.text(Setting.LOOPBACK);
        if (loopback != null && !loopback.equals("open") && !loopback.equals("token")) {
            problems.add(Setting.LOOPBACK.path() + ": must be open or token, not " + loopback);
        }
        return new Server(
                host == null ? "127.0.0.1" : host,
                (int) settings.number(Setting.PORT, 8321),
                "token".equals(loopback) ? Loopback.TOKEN : Loopback.OPEN,
                folders.state());
    }

    /** As JSON, two bytes of a diff may become six; and there are the other texts. */
    private static long usualBody(Reviewing reviews) {
        return Math.min(3L * reviews.limits().diffBytes() + 2 * MEGABYTE, Setting.BODY_LIMIT.most());
    }

    private static Sweeper.Caution sweeps(Settings settings) {
        Sweeper.Caution usual = Sweeper.Caution.DEFAULT;
        return new Sweeper.Caution(
                (int) settings.number(Setting.SWEEP_MOST, usual.most()),
                Duration.ofSeconds(
                        settings.number(Setting.SWEEP_PAUSE, usual.pause().toSeconds())));
    }

    private static WorkItems.Rules work(Settings settings) {
        int most = (int) settings.number(Setting.MOST_PER_AGENT, 0);
        return new WorkItems.Rules(most == 0 ? null : most, (int)
                settings.number(Setting.MOST_ATTEMPTS, WorkItems.Rules.DEFAULT.mostAttempts()));
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
                Duration.ofSeconds(settings.number(Setting.WEBHOOK_PATIENCE, 10)),
                (int) settings.number(Setting.FOLLOW_UP_ATTEMPTS, 10));
    }

    private static Reviewing reviews(Settings settings, @Nullable Path workingFolder, List<String> problems) {
        String fence = settings.text(Setting.REQUIRE_FENCE);
        if (fence != null && !fence.equals("always") && !fence.equals("managed")) {
            problems.add(Setting.REQUIRE_FENCE.path() + ": must be always or managed, not " + fence);
        }
        String reviewers = settings.text(Setting.REVIEWERS);
        if (reviewers != null && !reviewers.equals("any") && !reviewers.equals("known")) {
            problems.add(Setting.REVIEWERS.path() + ": must be any or known, not " + reviewers);
        }
        dev.holdfast.review.record.ReviewLimits usual = dev.holdfast.review.record.ReviewLimits.DEFAULT;
        boolean managed = "managed".equals(fence);
        return new Reviewing(
                managed ? RequireFence.MANAGED : RequireFence.ALWAYS,
                // the predecessor's clients, which managed is for, do not say who reads
                settings.flag(Setting.REQUIRE_READING, !managed),
                new ReviewerRules("known".equals(reviewers), settings.flag(Setting.FORBID_SAME_ENGINE, false)),
                settings.flag(Setting.REQUIRE_CHECK, false),
                settings.folder(Setting.WORKSPACE).orElse(workingFolder),
                settings.has(Setting.WORKSPACE),
                projects(settings, problems),
                Duration.ofSeconds(settings.number(Setting.LONGEST_CLAIM, 86_400)),
                new dev.holdfast.review.record.ReviewLimits(
                        (int) settings.number(Setting.DIFF_LIMIT, usual.diffBytes()),
                        (int) settings.number(Setting.TEXT_LIMIT, usual.textCharacters())));
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
        long longest = settings.number(
                Setting.LONGEST_LEASE, Leases.defaults().longest().toSeconds());
        Map<Kind, Duration> byKind = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            Setting setting = Setting.lease(kind);
            // a broker's own lease is not asked for by callers, so their limit does not cut it
            long limit = kind == Kind.BROKER ? Long.MAX_VALUE : longest;
            long seconds = settings.number(setting, Math.min(kind.lease().toSeconds(), limit));
            if (seconds > limit) {
                problems.add(setting.path() + ": " + seconds + " is longer than " + Setting.LONGEST_LEASE.path()
                        + ", which is " + limit);
            }
            byKind.put(kind, Duration.ofSeconds(seconds));
        }
        return new Leases(byKind, Duration.ofSeconds(longest));
    }
}
