package dev.holdfast.broker.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.claim.Claim;
import dev.holdfast.event.Event;
import dev.holdfast.work.WorkHistory;
import dev.holdfast.work.WorkHistory.Hold;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that work through one backlog at the same time, in an order that its dependencies allow, each item done by one
 * of them; also when half of them are killed at it. Judged by the events alone, and by the store's clock.
 */
@Timeout(900)
abstract class WorkRaceContract {
    /** A real one, since agents are processes of their own that are killed at their work, and nobody but the clock frees it. */
    private static final Duration TTL = Duration.ofSeconds(3);

    private static final Duration BROKER_LEASE = Duration.ofSeconds(10);
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @TempDir
    Path folder;

    private final Random random = new Random(11);
    private final Sweeps sweeps = new Sweeps(BROKER_LEASE);
    private final List<Broker> brokers = new ArrayList<>();
    private final List<AgentProcess> agents = new ArrayList<>();
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
    private BrokerClient caller;

    /** A store for each broker that is to run on it. */
    abstract List<Settings> stores(Path folder);

    @BeforeEach
    void start() {
        for (Settings store : stores(folder)) {
            brokers.add(Broker.start(
                    Config.of(store.put(Setting.PORT, 0L).put(Setting.BROKER_LEASE, BROKER_LEASE.toSeconds()))));
        }
        caller = new BrokerClient(brokers.getLast());
        var _ = watch.scheduleWithFixedDelay(
                () -> sweeps.look(brokers.getFirst().claims()), 0, 200, TimeUnit.MILLISECONDS);
    }

    @AfterEach
    void stop() {
        agents.forEach(AgentProcess::close);
        watch.close();
        caller.close();
        brokers.forEach(Broker::close);
    }

    @Test
    void with_two_of_four_processes_killed_sixty_items_are_done_once_each_and_nothing_late_is_accepted()
            throws Exception {
        raceWithKills(4, 60);
    }

    @Test
    @Tag("heavy")
    void sixteen_processes_do_two_thousand_items_once_each_in_an_order_that_dependencies_allow() throws Exception {
        race(16, 2_000);
    }

    @Test
    @Tag("heavy")
    void with_half_of_sixteen_killed_two_thousand_are_done_and_nothing_late_is_accepted() throws Exception {
        raceWithKills(16, 2_000);
    }

    @Test
    void an_agent_that_was_silent_past_its_time_is_told_that_it_has_lost_when_it_closes() throws Exception {
        Map<String, Set<String>> backlog = plan(5);
        startAgents(1, RacingAgent.UNTIL_TOLD);
        AgentProcess silent = agents.getFirst();
        await().atMost(LIMIT).until(() -> silent.taken().isPresent());
        AgentProcess.Said took = silent.taken().orElseThrow();
        startAgents(1, 0);
        assertThat(agents.getLast().ends(LIMIT)).isTrue();
        silent.startWaiting();
        waitForTheEnd();
        assertThat(history(backlog).wrong()).isEmpty();
        assertThat(silent.said()).contains(new AgentProcess.Said("refused", took.id(), took.generation(), "lost"));
    }

    private void race(int processes, int items) throws Exception {
        Map<String, Set<String>> backlog = plan(items);
        startAgents(processes, 0);
        waitForTheEnd();
        WorkHistory history = history(backlog);
        assertThat(history.wrong()).isEmpty();
        List<String> closed = agents.stream()
                .flatMap(agent -> agent.said().stream())
                .filter(said -> said.what().equals("closed"))
                .map(AgentProcess.Said::id)
                .toList();
        assertThat(closed).containsExactlyInAnyOrderElementsOf(backlog.keySet());
        System.out.printf(
                "%s: %d items by %d processes in %.1f s, %.0f items/s%n",
                getClass().getSimpleName(),
                items,
                processes,
                history.took().toMillis() / 1e3,
                items * 1e3 / history.took().toMillis());
    }

    private void raceWithKills(int processes, int items) throws Exception {
        Map<String, Set<String>> backlog = plan(items);
        await().atMost(Duration.ofMinutes(2)).until(() -> sweeps.steady(brokers.size()));
        startAgents(processes, 40);
        Map<Ghost, Map<String, Reply>> haunted = new LinkedHashMap<>();
        Instant lastKill;
        try (ExecutorService ghosts = Executors.newVirtualThreadPerTaskExecutor()) {
            Map<Ghost, Future<Map<String, Reply>>> coming = new LinkedHashMap<>();
            killHalf(
                    items,
                    ghost -> coming.put(ghost, ghosts.submit(() -> {
                        ghost.waitUntilItIsGone(caller);
                        return ghost.haunt(caller);
                    })));
            lastKill = storesTime();
            for (Map.Entry<Ghost, Future<Map<String, Reply>>> one : coming.entrySet()) {
                haunted.put(one.getKey(), one.getValue().get());
            }
        }
        assertThat(haunted)
                .as("agents that were killed in the middle of an item")
                .isNotEmpty();
        waitForTheEnd();
        WorkHistory history = history(backlog);
        assertThat(history.wrong()).isEmpty();
        List<Duration> late = assertTakenBackInTime(history);
        haunted.forEach((ghost, answers) -> assertTooLate(history, ghost, answers));
        haunted.keySet().forEach(ghost -> assertTooLate(history, ghost, ghost.haunt(caller)));
        assertThat(history(backlog).wrong()).isEmpty();
        for (Ghost ghost : haunted.keySet()) {
            Reply item = caller.call("get_work", "id", ghost.id());
            assertThat(item.text("status")).isEqualTo("closed");
            assertThat(item.text("title")).doesNotContain("ghost");
        }
        long namingAnother = haunted.values().stream()
                .flatMap(answers -> answers.values().stream())
                .filter(answer -> answer.body().has("holder"))
                .count();
        System.out.printf(
                "%s: %d items by %d processes, %d killed (%d in the middle of an item; %d late calls were told who has it"
                        + " now): %.1f s in all, %.1f s after the"
                        + " last kill; what they had was taken back %.1f s after its time at the latest%n",
                getClass().getSimpleName(),
                items,
                processes,
                processes / 2,
                haunted.size(),
                namingAnother,
                history.took().toMillis() / 1e3,
                Duration.between(lastKill, history.end()).toMillis() / 1e3,
                late.stream().mapToLong(Duration::toMillis).max().orElse(0) / 1e3);
    }

    /** Layers of items, each waiting for some of those before it; by id, what each depends on. */
    private Map<String, Set<String>> plan(int items) {
        Map<String, Set<String>> backlog = new LinkedHashMap<>();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < items; i++) {
            Set<String> after = new HashSet<>();
            for (int n = random.nextInt(4); n > 0 && !ids.isEmpty(); n--) {
                after.add(ids.get(Math.max(0, ids.size() - 1 - random.nextInt(60))));
            }
            Reply made = caller.call(
                    "create_work",
                    "title",
                    "item " + i,
                    "priority",
                    random.nextInt(5),
                    "depends_on",
                    List.copyOf(after));
            String id = made.body().at("/item/id").asString();
            ids.add(id);
            backlog.put(id, after);
        }
        return backlog;
    }

    private void startAgents(int processes, int longestWork) throws IOException {
        for (int i = 0; i < processes; i++) {
            int number = agents.size();
            String url = brokers.get(number % brokers.size()).url();
            agents.add(new AgentProcess("agent-" + number, url, TTL, longestWork));
        }
    }

    /** One after the other, at moments that are spread over the race, and as far as can be seen in the middle of an item. */
    private void killHalf(int items, Consumer<Ghost> left) throws InterruptedException {
        List<AgentProcess> victims = new ArrayList<>(agents);
        Collections.shuffle(victims, random);
        for (int i = 0; i < agents.size() / 2; i++) {
            AgentProcess victim = victims.get(i);
            long after = (long) items * (i + 1) / (agents.size() / 2 + 2) + random.nextInt(5);
            await().atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> agents.stream().mapToLong(AgentProcess::closed).sum() >= after
                            && victim.taken().isPresent());
            victim.kill().ifPresent(took -> left.accept(new Ghost(victim.name(), took.id(), took.generation())));
        }
    }

    private void waitForTheEnd() throws InterruptedException {
        for (AgentProcess agent : agents) {
            assertThat(agent.ends(LIMIT)).as(agent.name()).isTrue();
        }
    }

    private Instant storesTime() {
        return brokers.getFirst().claims().held(null, null, null).stream()
                .map(Claim::renewedAt)
                .max(Instant::compareTo)
                .orElseThrow();
    }

    private WorkHistory history(Map<String, Set<String>> backlog) {
        List<Event> events = new ArrayList<>();
        List<Event> more;
        do {
            more = brokers.getFirst()
                    .claims()
                    .tail()
                    .after(events.isEmpty() ? 0 : events.getLast().id(), 1_000);
            events.addAll(more);
        } while (!more.isEmpty());
        return new WorkHistory(events, backlog, TTL);
    }

    /** At the latest by the first sweep after its time had run out. How much later than that time it was. */
    private List<Duration> assertTakenBackInTime(WorkHistory history) {
        List<Duration> late = new ArrayList<>();
        for (Hold hold : history.holds()) {
            if (hold.ranOut() && hold.until() != null) {
                Instant ranOut = hold.from().plus(TTL);
                late.add(Duration.between(ranOut, hold.until()));
                sweeps.due(ranOut)
                        .ifPresent(due -> assertThat(hold.until())
                                .as("%s had run out at %s", hold, ranOut)
                                .isBeforeOrEqualTo(due));
            }
        }
        return late;
    }

    /** Unless the agent had closed the item and died before it could say so: then that is what it is told. */
    private static void assertTooLate(WorkHistory history, Ghost ghost, Map<String, Reply> answers) {
        Hold closed = history.closed().get(ghost.id());
        if (closed != null && closed.generation() == ghost.generation()) {
            assertThat(answers)
                    .hasEntrySatisfying(
                            "close_work",
                            answer -> assertThat(answer.body().path("replayed").asBoolean())
                                    .isTrue());
            return;
        }
        answers.forEach((verb, answer) -> {
            assertThat(answer.status())
                    .as("%s of %s: %s", verb, ghost, answer.body())
                    .isEqualTo(412);
            assertThat(answer.text("code")).isEqualTo("lost");
            assertThat(answer.text("error")).contains("is lost");
            assertThat(answer.text("holder")).isNotEqualTo(ghost.holder());
            if (answer.body().has("holder")) {
                assertThat(answer.text("error")).contains(answer.text("holder") + " holds it now");
            }
        });
    }
}
