package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.config.Config;
import dev.holdfast.event.Event;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that work through one backlog at the same time, in the order that its dependencies allow, each item done by
 * one of them; also when half of them are killed in the middle of it.
 */
@Timeout(600)
class WorkRaceTest {
    private static final int TTL_SECONDS = 3;

    @TempDir
    Path folder;

    private final Random random = new Random(11);

    @Test
    void six_processes_do_two_hundred_items_once_each_in_an_order_that_dependencies_allow() throws Exception {
        race(6, 200, false);
    }

    @Test
    void with_half_of_them_killed_all_is_done_all_the_same() throws Exception {
        race(6, 200, true);
    }

    @Test
    @Tag("heavy")
    void sixteen_processes_do_two_thousand_items_once_each() throws Exception {
        race(16, 2_000, false);
    }

    @Test
    @Tag("heavy")
    void sixteen_processes_of_which_half_are_killed_do_two_thousand_items() throws Exception {
        race(16, 2_000, true);
    }

    private void race(int processes, int items, boolean kill) throws Exception {
        try (Broker broker = Broker.start(Config.in(folder));
                Caller caller = new Caller(broker)) {
            Map<String, List<String>> dependencies = plan(caller, items);
            List<Process> running = new ArrayList<>();
            List<CompletableFuture<List<String>>> told = new ArrayList<>();
            for (int i = 0; i < processes; i++) {
                Process process = start(broker.url(), "agent-" + i);
                running.add(process);
                told.add(CompletableFuture.supplyAsync(() -> lines(process)));
            }
            if (kill) {
                killHalf(caller, running, items);
            }
            await().atMost(Duration.ofMinutes(8))
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> closed(caller) == items);
            for (Process process : running) {
                assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            }
            check(
                    broker,
                    dependencies,
                    told.stream().flatMap(lines -> lines.join().stream()).toList(),
                    kill);
        }
    }

    /** Layers of items, each waiting for some of those before it. */
    private Map<String, List<String>> plan(Caller caller, int items) {
        Map<String, List<String>> dependencies = new HashMap<>();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < items; i++) {
            Set<String> after = new HashSet<>();
            for (int n = random.nextInt(4); n > 0 && !ids.isEmpty(); n--) {
                after.add(ids.get(Math.max(0, ids.size() - 1 - random.nextInt(60))));
            }
            String id = caller.call(
                            "create_work",
                            "title",
                            "item " + i,
                            "priority",
                            random.nextInt(5),
                            "depends_on",
                            List.copyOf(after))
                    .body()
                    .at("/item/id")
                    .asString();
            ids.add(id);
            dependencies.put(id, List.copyOf(after));
        }
        return dependencies;
    }

    private void killHalf(Caller caller, List<Process> running, int items) {
        List<Process> victims = new ArrayList<>(running);
        Collections.shuffle(victims, random);
        for (int i = 0; i < running.size() / 2; i++) {
            int after = items * (i + 1) / (running.size() + 2);
            await().atMost(Duration.ofMinutes(5))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> closed(caller) >= after);
            victims.get(i).destroyForcibly();
        }
    }

    private static long closed(Caller caller) {
        long count = 0;
        String cursor = null;
        do {
            Caller.Reply page = cursor == null
                    ? caller.call("list_work", "status", "closed", "limit", 1000)
                    : caller.call("list_work", "status", "closed", "limit", 1000, "cursor", cursor);
            count += page.body().path("items").size();
            cursor = page.body().has("next_cursor") ? page.text("next_cursor") : null;
        } while (cursor != null);
        return count;
    }

    /** By the events: each item closed once, by whom it was given to, after all that it depends on. */
    private static void check(
            Broker broker, Map<String, List<String>> dependencies, List<String> told, boolean killed) {
        List<String> order = new ArrayList<>();
        Map<String, Event> grants = new HashMap<>();
        long after = 0;
        List<Event> events;
        do {
            events = broker.claims().tail().after(after, 1_000);
            for (Event event : events) {
                after = event.id();
                if (event.type().equals("claimed") || event.type().equals("taken_over")) {
                    grants.put(event.resource(), event);
                } else if (event.type().equals("work_closed")) {
                    order.add(event.resource().substring("work:".length()));
                    Event grant = Objects.requireNonNull(grants.get(event.resource()));
                    assertThat(event.actor()).isEqualTo(grant.actor());
                    assertThat(event.generation()).isEqualTo(grant.generation());
                }
            }
        } while (!events.isEmpty());
        assertThat(order).hasSize(dependencies.size()).doesNotHaveDuplicates();
        Set<String> done = new HashSet<>();
        for (String id : order) {
            assertThat(done).containsAll(dependencies.getOrDefault(id, List.of()));
            done.add(id);
        }
        if (!killed) {
            assertThat(told).hasSize(dependencies.size()).doesNotHaveDuplicates();
        }
        assertThat(done).containsAll(told);
    }

    private static Process start(String url, String holder) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WorkRaceAgent.class.getName(),
                        url,
                        holder,
                        Integer.toString(TTL_SECONDS))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static List<String> lines(Process process) {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            return reader.lines().toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }
}
