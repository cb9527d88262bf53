package dev.holdfast.broker;

import dev.holdfast.agent.AgentActivity;
import dev.holdfast.agent.Agents;
import dev.holdfast.agent.HostedSessions;
import dev.holdfast.agent.Identities;
import dev.holdfast.agent.RunningToolCalls;
import dev.holdfast.agent.SessionRetention;
import dev.holdfast.broker.api.ApiServer;
import dev.holdfast.broker.api.Origins;
import dev.holdfast.broker.auth.Callers;
import dev.holdfast.broker.auth.NameOwnership;
import dev.holdfast.broker.auth.Permissions;
import dev.holdfast.broker.auth.TeamCalls;
import dev.holdfast.broker.auth.TokenOwnership;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.ConfigException;
import dev.holdfast.broker.config.UserFolders;
import dev.holdfast.broker.dashboard.Dashboard;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.broker.git.BaseFiles;
import dev.holdfast.broker.git.GitApply;
import dev.holdfast.broker.git.ProjectFiles;
import dev.holdfast.broker.git.ProjectRepositories;
import dev.holdfast.broker.hook.HookEndpoints;
import dev.holdfast.broker.mcp.McpEndpoints;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.metrics.QueueDepths;
import dev.holdfast.broker.pool.Orphans;
import dev.holdfast.broker.pool.ProjectFolders;
import dev.holdfast.broker.pool.RemoteTermination;
import dev.holdfast.broker.pool.ReviewerPool;
import dev.holdfast.broker.pool.ThisProcess;
import dev.holdfast.broker.pool.engine.UnusableLaunchException;
import dev.holdfast.broker.process.Machine;
import dev.holdfast.broker.process.PeerProcesses;
import dev.holdfast.broker.process.Processes;
import dev.holdfast.broker.repository.KnownRepositories;
import dev.holdfast.broker.repository.RepositoryDefaults;
import dev.holdfast.broker.task.BrokerTasks;
import dev.holdfast.broker.token.Token;
import dev.holdfast.broker.verb.Bounds;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.ShortIds;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.agents.AgentVerbs;
import dev.holdfast.broker.verb.tokens.TokenVerbs;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.QueueSamples;
import dev.holdfast.claim.Resource;
import dev.holdfast.claim.Retention;
import dev.holdfast.claim.Sweeper;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.pool.LiveReviewers;
import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.pool.PoolReviewers;
import dev.holdfast.store.Engine;
import dev.holdfast.store.NearbyIds;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.PrivateFolder;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Store;
import dev.holdfast.task.Outbox;
import dev.holdfast.task.Tasks;
import dev.holdfast.token.Tokens;
import dev.holdfast.work.WorkItems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running broker: assembles its parts, and starts and stops them in order.
 *
 * <pre>{@code
 * try (Broker broker = Broker.start(Config.in(folder))) {
 *     System.out.println(broker.url());
 * }
 * }</pre>
 */
public final class Broker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);

    /** Stops what has been started, last first. */
    private final Deque<Runnable> stops = new ArrayDeque<>();

    private final Claims claims;
    private final List<Verb> verbs;
    private final ApiServer endpoint;
    private final Duration drain;

    /**
     * @throws StartException when it cannot start; the message says why and what to do
     * @throws dev.holdfast.store.StoreException when the store cannot be opened
     */
    public static Broker start(Config config) {
        return start(config, Machine.here());
    }

    /** @param machine the machine it assumes it runs on */
    static Broker start(Config config, Machine machine) {
        ListenAddressCheck.check(config);
        return new Broker(config, machine, () -> open(config.store()));
    }

    /** On a store that is open already, such as one with a clock of its own; it is closed with the broker. */
    public static Broker start(Config config, Store store) {
        ListenAddressCheck.check(config);
        return new Broker(config, Machine.here(), () -> store);
    }

    private Broker(Config config, Machine machine, Supplier<Store> opened) {
        drain = config.server().drain();
        try {
            Meters meters = new Meters();
            Store store = opened.get();
            stops.push(store::close);
            store.observer(meters);
            claims = Claims.over(
                    store, config.leases().inAll(Kind.REVIEW, config.reviews().longestClaim()));
            stops.push(claims::close);
            SecureRandom random = new SecureRandom();
            Tokens tokens = new Tokens(store, claims.events(), System::nanoTime, random);
            ListenAddressCheck.check(config.server(), tokens);
            QueueDepths.register(meters.registry(), claims);
            AtomicReference<@Nullable ReviewerPool> pool = new AtomicReference<>();
            Sweeper sweeper = new Sweeper(
                    claims,
                    name(machine),
                    config.sweeps(),
                    System::nanoTime,
                    () -> Optional.ofNullable(pool.get()).ifPresent(ReviewerPool::lostIdentity));
            stops.push(sweeper::close);
            Housekeeping housekeeping = new Housekeeping(
                    sweeper,
                    config.retention(),
                    meters,
                    new IdlePacing(
                            claims.tail()::changes,
                            () -> claims.anythingHeld() || Outbox.anyLeft(store),
                            System::nanoTime));
            stops.push(housekeeping::close);
            Retention retention = new Retention(
                    store, config.retention().keys(), config.retention().events(), Set.of(Kind.REVIEW));
            Agents agents = new Agents(store, claims);
            housekeeping.sessions(new SessionRetention(store, config.retention().sessions()));
            GitApply git = new GitApply(System.getenv(), GitApply.TIMEOUT, GitApply.AT_ONCE);
            KnownRepositories repositories = new KnownRepositories(
                    new dev.holdfast.repository.Repositories(store), git, machine.name(), System::nanoTime);
            ProjectRepositories folders = folders(config.reviews(), repositories);
            PoolReviewers reviewers = new PoolReviewers(
                    store,
                    claims.events(),
                    config.pool() == null ? null : config.pool().limits().reviewsPerHour(),
                    ProjectFolders.of(config, repositories::folders)::real,
                    config.pool() != null && config.reviews().reviewers().otherMake()
                            ? config.pool().engine().name()
                            : null);
            Reviews reviews = new Reviews(
                    store,
                    claims,
                    config.reviews().requireFence(),
                    config.reviews().requireReading(),
                    config.reviews().reviewers(),
                    new LiveReviewers(reviewers, lease(config, Kind.REVIEW)),
                    new ProjectFiles(folders, git, config.reviews().requireCheck()),
                    config.reviews().limits(),
                    new NearbyIds());
            housekeeping.claims(retention, reviews, config.pool() != null);
            housekeeping.memory(HeapGrowth.ofThisProcess());
            housekeeping.samples(new QueueSamples(store), claims);
            housekeeping.reviews(reviews, config.reviews().longestClaim());
            WorkItems work = new WorkItems(store, claims, config.work(), new NearbyIds());
            HostedSessions sessions = new HostedSessions(store, agents);
            BrokerTasks care = new BrokerTasks(store, claims, work, reviews, config.tasks(), name(machine));
            stops.push(care::close);
            Processes processes = new Processes(machine);
            Origins origins = new Origins(new PeerProcesses(processes));
            ShortIds ids = new ShortIds(claims);
            NameOwnership members = new NameOwnership(tokens, agents, sessions);
            TeamCalls team = new TeamCalls(
                    tokens,
                    members,
                    agents,
                    reviews.catalogue()::proposers,
                    ids,
                    thing -> project(thing, care.tasks()),
                    claims::holder);
            HookEndpoints hooks = HookEndpoints.over(
                    claims,
                    sessions,
                    new RunningToolCalls(store, claims, System::nanoTime, machine.id()),
                    processes,
                    origins,
                    repositories,
                    work.reservations(),
                    meters,
                    config.limits().bodyBytes(),
                    team::ofHook);
            housekeeping.hooks(hooks);
            PoolReviewer.Host here = ThisProcess.on(machine);
            Orphans orphans = new Orphans(reviewers, reviews, here, RemoteTermination.of(config.pool()));
            orphans.cleanUpAtStart(store.engine() == Engine.SQLITE);
            housekeeping.orphans(orphans);
            if (config.pool() != null) {
                pool.set(ReviewerPool.of(
                        config,
                        new ReviewerPool.Surroundings(
                                reviewers,
                                reviews,
                                repositories::folders,
                                claims.tail(),
                                sweeper::identity,
                                here,
                                config.store().data().resolve("reviewer-logs"),
                                Clock.systemUTC(),
                                new SecureRandom(),
                                meters)));
            }
            housekeeping.tasks(care);
            Shapes shapes = new Shapes(new Bounds(config.limits(), claims.leases()));
            AgentVerbs agentVerbs = new AgentVerbs(
                    shapes,
                    claims,
                    agents,
                    sessions,
                    processes,
                    () -> Token.random(random).text());
            verbs = Stream.concat(
                            AllVerbs.of(shapes, claims, agents, agentVerbs, reviews, pool.get(), work, care, meters)
                                    .stream(),
                            new TokenVerbs(shapes, tokens, config.server().reachable()).verbs().stream())
                    .toList();
            Permissions.check(verbs);
            Callers callers = new Callers(
                    reviewers,
                    new AgentActivity(agents, System::nanoTime),
                    new Identities(sessions, agents),
                    ids,
                    new RepositoryDefaults(repositories, agents),
                    team,
                    new TokenOwnership(members, reviews.catalogue()::proposers, claims, ids));
            McpEndpoints mcp = new McpEndpoints(
                    verbs, callers, origins, reviews, config.limits().bodyBytes(), meters);
            Dashboard dashboard = new Dashboard(
                    new Sources(
                            config,
                            store,
                            claims,
                            agents,
                            reviews,
                            reviewers,
                            pool.get(),
                            work,
                            care.tasks(),
                            new BaseFiles(folders, System.getenv())),
                    verbs,
                    callers,
                    origins,
                    tokens.sessions(),
                    meters,
                    Clock.systemUTC());
            endpoint = new ApiServer(
                    config, verbs, callers, origins, claims, store, meters, tokens, List.of(mcp, hooks, dashboard));
            stops.push(endpoint::close);
            stops.push(dashboard::close);
            Optional.ofNullable(pool.get()).ifPresent(started -> {
                started.start(URI.create(endpoint.insideUrl() + Toolset.REVIEWS.path()));
                stops.push(started::close);
            });
            stops.push(reviews::close);
            stops.push(claims::stopWaiting);
        } catch (UnusableLaunchException e) {
            stop();
            throw new ConfigException(List.of("reviewer_pool: " + e.getMessage()));
        } catch (IOException e) {
            stop();
            throw StartException.cannotListen(config.server(), e);
        } catch (UncheckedIOException e) {
            stop();
            throw new StartException(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException e) {
            stop();
            throw e;
        }
    }

    private static Duration lease(Config config, Kind kind) {
        return config.leases().byKind().getOrDefault(kind, kind.lease());
    }

    private static ProjectRepositories folders(Config.Reviewing where, KnownRepositories known) {
        return new ProjectRepositories(where.workspace(), where.projects(), known::folders, where.workspaceGiven());
    }

    private static Store open(Config.Storage where) {
        if (where.database() == null || Files.exists(where.data())) {
            PrivateFolder.open(
                    where.data(), where.data().equals(UserFolders.ofThisUser().data()));
        }
        String database = where.database();
        if (database == null) {
            return SqliteStore.open(where.data());
        }
        String direct = where.direct();
        return direct == null
                ? PostgresStore.open(database, where.connections())
                : PostgresStore.openPooled(database, direct, where.connections());
    }

    /** The project of a resource; empty: the resource does not exist. */
    private Optional<String> project(Resource thing, Tasks tasks) {
        return thing.kind() == Kind.FINALIZATION ? tasks.namespace(thing.id()) : claims.queue(thing);
    }

    /** A new name at every start: a broker that returns after a crash is a different one. */
    private static String name(Machine machine) {
        return machine.name() + "-" + ProcessHandle.current().pid() + "-"
                + Integer.toHexString(ThreadLocalRandom.current().nextInt());
    }

    /** Its address, such as {@code http://127.0.0.1:8321}. */
    public String url() {
        return endpoint.url();
    }

    /** All operations it offers. */
    public List<Verb> verbs() {
        return verbs;
    }

    /** The engine, for programs that embed a broker. */
    public Claims claims() {
        return claims;
    }

    /**
     * Reports that it is no longer ready and, if configured, gives proxies time to notice. Then answers waiting calls
     * with what is available, finishes running calls, and stops.
     */
    @Override
    public void close() {
        drain();
        stop();
    }

    private void drain() {
        if (stops.isEmpty() || !drain.isPositive()) {
            return;
        }
        endpoint.leave();
        LOG.info("stopping: no longer ready, still answering for {} s", drain.toSeconds());
        try {
            Thread.sleep(drain);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // no time is left
        }
    }

    private void stop() {
        while (!stops.isEmpty()) {
            try {
                stops.pop().run();
            } catch (RuntimeException e) {
                LOG.warn("while stopping: {}", e.getMessage()); // the others must still be stopped
            }
        }
    }
}
