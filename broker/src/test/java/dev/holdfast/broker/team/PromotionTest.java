package dev.holdfast.broker.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.team.Member.Answer;
import dev.holdfast.testing.TestFailover;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The primary is killed under load, its streaming standby is promoted, and two brokers behind HAProxy carry on with it.
 */
@Tag("heavy")
@Timeout(300)
class PromotionTest {
    private static final int CALLERS = 30;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    private Path folder;

    @BeforeAll
    static void programs() {
        Balancer.assumeInstalled();
    }

    /** What callers were told, and what the surviving database knows of it. */
    private record Seen(
            Map<String, Long> granted,
            Queue<String> odd,
            Set<String> inDatabase,
            long highestBefore,
            long lowestAfter) {
        long lost() {
            return granted.keySet().stream()
                    .filter(grant -> !inDatabase.contains(grant))
                    .count();
        }
    }

    @Test
    void nothing_that_was_acknowledged_is_lost_with_a_synchronous_standby() throws Exception {
        Seen seen = promote(true);
        System.out.println(
                "synchronous standby: " + seen.granted.size() + " grants acknowledged, " + seen.lost() + " lost");
        assertThat(seen.odd).isEmpty();
        assertThat(seen.lost()).isZero();
        assertThat(seen.lowestAfter).isGreaterThan(Math.max(seen.highestBefore, 1_000_000));
    }

    /** What is lost is what was acknowledged while the standby lagged; here it is cut off for a moment. */
    @Test
    void what_an_asynchronous_standby_lacks_is_lost_and_no_generation_of_it_is_given_again() throws Exception {
        Seen seen = promote(false);
        System.out.println(
                "asynchronous standby: " + seen.granted.size() + " grants acknowledged, " + seen.lost() + " lost");
        assertThat(seen.odd).isEmpty();
        assertThat(seen.lost()).as("the standby lacked something").isPositive();
        assertThat(seen.lowestAfter).isGreaterThan(Math.max(seen.highestBefore, 1_000_000));
    }

    private Seen promote(boolean synchronous) throws Exception {
        Map<String, Long> granted = new ConcurrentHashMap<>();
        Queue<String> odd = new ConcurrentLinkedQueue<>();
        AtomicBoolean over = new AtomicBoolean();
        try (TestFailover servers = new TestFailover();
                Team team = new Team(folder, servers.address(), 2, List.of("ann"));
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            if (synchronous) {
                servers.followSynchronously();
            }
            for (int i = 0; i < CALLERS; i++) {
                int number = i;
                var _ = callers.submit(() -> claimAgainAndAgain(team.member("ann"), number, granted, odd, over));
            }
            await().atMost(PATIENCE).until(() -> granted.size() > 1_000);
            if (!synchronous) {
                servers.cutOffStandby();
                int before = granted.size();
                await().atMost(PATIENCE).until(() -> granted.size() > before + 200);
            }
            servers.killPrimary();
            Set<String> before = new HashSet<>(granted.keySet());
            servers.failOver();
            int back = granted.size();
            await().atMost(PATIENCE).until(() -> granted.size() > back + 500);
            over.set(true);
            callers.close();
            long highest = before.stream().mapToLong(granted::get).max().orElseThrow();
            long lowest = granted.entrySet().stream()
                    .filter(grant -> !before.contains(grant.getKey()))
                    .mapToLong(Map.Entry::getValue)
                    .filter(generation -> generation > highest)
                    .min()
                    .orElseThrow();
            assertThat(servers.value(1, "SELECT count(*) FROM events WHERE type = 'failover_detected'"))
                    .isEqualTo("1");
            return new Seen(granted, odd, grants(servers.address(1)), highest, lowest);
        }
    }

    /** Claims and releases keys; any answer other than a grant must be `busy`, or a claim lost through the failover. */
    private static Void claimAgainAndAgain(
            Member member, int number, Map<String, Long> granted, Queue<String> odd, AtomicBoolean over)
            throws InterruptedException {
        for (int i = 0; !over.get(); i++) {
            String key = "key:" + number + "-" + i % 10;
            try {
                Answer claim = member.call("claim", "resource", key, "holder", "ann", "request_id", number + "-" + i);
                if (claim.ok()) {
                    if (granted.putIfAbsent(key + " " + claim.generation(), claim.generation()) != null) {
                        odd.add(key + ": given twice: " + claim);
                    }
                    Answer release = member.call(
                            "release", "resource", key, "holder", "ann", "claim_generation", claim.generation());
                    if (!release.ok()
                            && !Set.of("busy", "lost", "not_held", "stale").contains(release.code())) {
                        odd.add(key + ": " + release);
                    }
                } else if (!claim.code().equals("busy") && !claim.code().equals("held")) {
                    odd.add(key + ": " + claim);
                }
                if (!claim.ok()) {
                    beforeTheNextTry();
                }
            } catch (IOException e) {
                odd.add(key + ": " + e);
                beforeTheNextTry();
            }
        }
        return null;
    }

    /** As a client does that was refused: callers who ask again at once would keep the failover from the processor. */
    private static void beforeTheNextTry() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(50);
    }

    private static Set<String> grants(String database) throws SQLException {
        Set<String> grants = new HashSet<>();
        try (Connection connection = DriverManager.getConnection(database);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT resource, generation FROM events WHERE type IN ('claimed', 'taken_over')")) {
            while (row.next()) {
                grants.add(row.getString(1) + " " + row.getLong(2));
            }
        }
        return grants;
    }
}
