package dev.holdfast.broker.team;

import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.crash.BrokerProcess;
import dev.holdfast.testing.Relay;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.json.JsonMapper;

/**
 * Brokers in separate processes on one database, each behind a network that can break, all behind a balancer, with TLS
 * everywhere and no access without a token.
 */
final class Team implements AutoCloseable {
    static final Duration DRAIN = Duration.ofSeconds(4);
    /** A real one: processes share no clock with the test. */
    private static final Duration BROKER_LEASE = Duration.ofSeconds(10);

    private final Path folder;
    private final String database;
    private final Path config;
    private final List<BrokerProcess> brokers = new ArrayList<>();
    private final List<Relay> relays = new ArrayList<>();
    private final Map<String, String> tokens = new HashMap<>();
    private final HttpClient http = Member.client();
    private final Balancer balancer;
    private final Map<Integer, Map<String, String>> environments;

    Team(Path folder, String database, int size, List<String> names) throws IOException {
        this(folder, database, size, names, Map.of());
    }

    /**
     * @param names who gets a token that allows everything but administration
     * @param environments additional environment variables of some brokers, by their place
     */
    Team(Path folder, String database, int size, List<String> names, Map<Integer, Map<String, String>> environments)
            throws IOException {
        this.folder = folder;
        this.database = database;
        this.environments = environments;
        makeTokens(names);
        config = Files.writeString(
                folder.resolve("team.json"),
                JsonMapper.shared()
                        .writeValueAsString(Map.of(
                                "server",
                                Map.of(
                                        "tls_certificate",
                                        Balancer.certificate().toAbsolutePath().toString(),
                                        "tls_key",
                                        Balancer.key().toAbsolutePath().toString(),
                                        "trusted_proxies",
                                        List.of("127.0.0.1"),
                                        "drain_seconds",
                                        DRAIN.toSeconds()),
                                "store",
                                Map.of("data", folder.resolve("data").toString()),
                                "leases",
                                Map.of(
                                        "broker_seconds",
                                        BROKER_LEASE.toSeconds(),
                                        "sweep_pause_seconds",
                                        0,
                                        "review_seconds",
                                        30,
                                        "step_seconds",
                                        15,
                                        "work_seconds",
                                        15),
                                "work",
                                Map.of("most_attempts", 100),
                                "limits",
                                Map.of("calls_per_second", 100_000, "concurrent_calls", 100_000))));
        for (int i = 0; i < size; i++) {
            brokers.add(start(i).now());
            relays.add(new Relay(brokers.get(i).address().getPort()));
        }
        balancer = new Balancer(folder, relays.stream().map(Relay::port).toList());
        await().atMost(Duration.ofSeconds(30)).until(() -> ready(member(names.getFirst())));
    }

    /** Done before anybody else can reach a broker of this store. */
    private void makeTokens(List<String> names) throws IOException {
        Config alone = Config.in(folder.resolve("first"), new Settings().put(Setting.DATABASE, database));
        try (Broker broker = Broker.start(alone);
                BrokerClient user = new BrokerClient(broker)) {
            for (String name : names) {
                tokens.put(
                        name,
                        user.call(
                                        "create_token",
                                        "name",
                                        name,
                                        "roles",
                                        List.of("proposer", "reviewer", "worker", "processor"))
                                .text("token"));
            }
            tokens.put(
                    "admin",
                    user.call("create_token", "name", "admin", "roles", List.of("admin"))
                            .text("token"));
        }
    }

    private static boolean ready(Member member) throws InterruptedException {
        try {
            return member.get("/readyz") == 200;
        } catch (IOException _) {
            return false;
        }
    }

    private BrokerProcess.Start start(int place) {
        BrokerProcess.Start start = BrokerProcess.Start.onPostgres(database)
                .with("HOLDFAST_CONFIG", config.toString())
                .with("XDG_STATE_HOME", folder.resolve("state").toString())
                .logTo(log());
        for (Map.Entry<String, String> one :
                environments.getOrDefault(place, Map.of()).entrySet()) {
            start = start.with(one.getKey(), one.getValue());
        }
        return start;
    }

    Path log() {
        return folder.resolve("brokers.log");
    }

    int size() {
        return brokers.size();
    }

    BrokerProcess broker(int place) {
        return brokers.get(place);
    }

    /** The network in front of a broker. */
    Relay before(int place) {
        return relays.get(place);
    }

    /** A caller that goes through the balancer. */
    Member member(String name) {
        return new Member(http, balancer.address(), Objects.requireNonNull(tokens.get(name), name));
    }

    /** A caller that bypasses the balancer and calls one broker. */
    Member member(String name, int place) {
        return member(name).at(brokers.get(place).address());
    }

    URI address() {
        return balancer.address();
    }

    void kill(int place) throws InterruptedException {
        brokers.get(place).kill();
    }

    /** Starts another broker in place of one that is gone. */
    void startAgain(int place) throws IOException {
        BrokerProcess before = brokers.get(place);
        before.close();
        brokers.set(place, start(place).at(before.address()).now());
    }

    @Override
    public void close() {
        balancer.close();
        relays.forEach(Relay::close);
        brokers.forEach(BrokerProcess::close);
        http.shutdownNow();
    }
}
