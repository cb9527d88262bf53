package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Resource;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SqliteStoreTest {
    private static final Sql MAKE = Sql.of("CREATE TABLE IF NOT EXISTS things (name TEXT PRIMARY KEY, size BLOB)");
    private static final Sql ADD = Sql.of("INSERT INTO things (name, size) VALUES (:name, zeroblob(:size))");
    private static final Sql COUNT = Sql.of("SELECT count(*) AS n FROM things");

    @TempDir
    Path folder;

    private static Work<Integer> add(String name, long size) {
        return transaction -> transaction.update(ADD, p -> p.text("name", name).number("size", size));
    }

    private static long count(Store store) {
        return store.read(transaction ->
                transaction.first(COUNT, _ -> {}, row -> row.number("n")).orElseThrow());
    }

    /** Submits these while the writer is busy, so that they share a commit. */
    private static List<CompletableFuture<Integer>> together(SqliteStore store, List<Work<Integer>> works)
            throws InterruptedException {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        Thread plug = Thread.ofPlatform()
                .start(() -> store.write(_ -> {
                    writing.countDown();
                    try {
                        gate.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return true;
                }));
        writing.await();
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        works.forEach(work -> answers.add(store.submit(work)));
        gate.countDown();
        plug.join();
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .handle((_, _) -> true)
                .join();
        return answers;
    }

    @Test
    void a_second_store_in_the_same_folder_is_refused_and_says_why() {
        try (SqliteStore _ = SqliteStore.open(folder)) {
            assertThatThrownBy(() -> SqliteStore.open(folder))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("another broker is using " + folder)
                    .hasMessageContaining(Long.toString(ProcessHandle.current().pid()));
        }
        SqliteStore.open(folder).close();
    }

    @Test
    void a_database_of_a_newer_program_is_refused() throws Exception {
        SqliteStore.open(folder).close();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("holdfast.db"));
                var statement = connection.createStatement()) {
            statement.execute(
                    "INSERT INTO schema_history (installed_rank, version, description, type, script, installed_by,"
                            + " execution_time, success) VALUES (999, '999', 'future', 'SQL', 'V999__future.sql', 'x', 0, 1)");
        }
        assertThatThrownBy(() -> SqliteStore.open(folder))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("newer Holdfast")
                .hasMessageContaining("999");
    }

    @Test
    void what_was_answered_is_there_after_a_restart() {
        Resource key = Resource.key("deploy");
        try (SqliteStore store = SqliteStore.open(folder);
                Claims claims = Claims.over(store)) {
            claims.claim(ClaimRequest.of(key, "ann"));
        }
        try (SqliteStore store = SqliteStore.open(folder);
                Claims claims = Claims.over(store)) {
            assertThat(claims.held(null, null, null)).singleElement().satisfies(claim -> {
                assertThat(claim.holder()).isEqualTo("ann");
                assertThat(claim.generation()).isEqualTo(1);
            });
            assertThat(claims.claim(ClaimRequest.of(key, "bob"))).isNotInstanceOf(ClaimOutcome.Granted.class);
        }
    }

    @Test
    void work_that_fails_harms_nobody_in_the_same_commit() throws Exception {
        try (SqliteStore store = SqliteStore.open(folder)) {
            store.write(transaction -> transaction.update(MAKE, _ -> {}));
            List<CompletableFuture<Integer>> answers = together(
                    store,
                    List.of(
                            add("a", 1),
                            transaction -> {
                                add("half", 1).in(transaction);
                                throw new IllegalStateException("changed its mind");
                            },
                            add("a", 1),
                            add("b", 1)));
            assertThat(answers.get(0)).isCompletedWithValue(1);
            assertThat(answers.get(1)).isCompletedExceptionally();
            assertThat(answers.get(2)).isCompletedExceptionally();
            assertThat(answers.get(3)).isCompletedWithValue(1);
            assertThat(count(store)).isEqualTo(2);
        }
    }

    @Test
    void those_who_share_a_commit_announce_it_once_and_before_anybody_is_answered() throws Exception {
        try (SqliteStore store = SqliteStore.open(folder)) {
            store.write(transaction -> transaction.update(MAKE, _ -> {}));
            List<String> told = new CopyOnWriteArrayList<>();
            Runnable once = () -> told.add("everybody");
            List<Work<Integer>> works = new ArrayList<>();
            for (String name : List.of("a", "b", "c")) {
                works.add(transaction -> {
                    transaction.onceAfterCommit(once);
                    transaction.afterCommit(() -> told.add(name));
                    return add(name, 1).in(transaction);
                });
            }
            works.add(transaction -> {
                transaction.onceAfterCommit(once);
                throw new IllegalStateException("on purpose");
            });
            List<CompletableFuture<Integer>> answers = together(store, works);
            assertThat(answers.getFirst().thenApply(_ -> List.copyOf(told)).join())
                    .containsExactly("a", "b", "c", "everybody");
            assertThat(answers.getLast()).isCompletedExceptionally();
        }
    }

    @Test
    void a_full_disk_is_busy_to_the_offender_and_passes_when_there_is_space() throws Exception {
        try (SqliteStore store = SqliteStore.open(folder)) {
            store.write(transaction -> transaction.update(MAKE, _ -> {}));
            long pages = pragma(store, "page_count");
            pragma(store, "max_page_count = " + (pages + 20));
            List<CompletableFuture<Integer>> answers =
                    together(store, List.of(add("small", 10), add("huge", 10_000_000), add("last", 10)));
            assertThat(answers.get(0)).isCompletedWithValue(1);
            assertThatThrownBy(() -> answers.get(1).join())
                    .hasCauseInstanceOf(BusyException.class)
                    .hasMessageContaining("full");
            assertThat(answers.get(2)).isCompletedWithValue(1);
            assertThat(count(store)).isEqualTo(2);
            pragma(store, "max_page_count = 1000000");
            assertThat(store.write(add("huge", 10_000_000))).isEqualTo(1);
        }
    }

    /** Asked of the writing connection, whose limit it is. */
    private static long pragma(Store store, String pragma) {
        return store.write(transaction -> transaction
                .first(Sql.of("PRAGMA " + pragma), _ -> {}, row -> row.number(pragma.split(" ", -1)[0]))
                .orElseThrow());
    }
}
