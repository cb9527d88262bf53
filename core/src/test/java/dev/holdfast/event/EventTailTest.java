package dev.holdfast.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.store.Engine;
import dev.holdfast.store.Transaction;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.testing.TestStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On PostgreSQL event ids are not in the order of commits; watchers must not notice. */
class EventTailTest {
    private static final Duration POLL = Duration.ofSeconds(2);
    private static final int MANY = 20_000;

    private TestStore on;
    private EventTail tail;
    private Connection other;
    private final List<String> heard = new CopyOnWriteArrayList<>();

    @BeforeEach
    void open() throws SQLException {
        on = TestStore.ticking(Engine.POSTGRES);
        tail = EventTail.start(on.store());
        tail.watch(event -> heard.add(event.resource()));
        other = TestPostgres.connect(Objects.requireNonNull(on.address()));
        other.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        other.close();
        tail.close();
        on.close();
    }

    private void append(String resource) {
        Events events = new Events(on.store().origin(), tail::changed);
        on.store().write(transaction -> {
            events.append(transaction, transaction.now(), "claimed", resource, null, 1L, null);
            return true;
        });
    }

    /** Takes an event id, as everybody does, in a transaction that already has its own id. */
    private void appendButDoNotCommit(String resource) throws SQLException {
        try (Statement statement = other.createStatement()) {
            statement.execute("SELECT pg_current_xact_id()");
            statement.execute(
                    "INSERT INTO events (at, type, resource, origin) VALUES (now(), 'claimed', '" + resource + "', 0)");
        }
    }

    private List<String> resources() {
        return tail.after(0, 100).stream().map(Event::resource).toList();
    }

    @Test
    void an_event_that_commits_later_with_a_lower_id_is_not_skipped() throws Exception {
        append("key:1");
        appendButDoNotCommit("key:2");
        append("key:3");
        assertThat(resources()).containsExactly("key:1");
        other.commit();
        assertThat(resources()).containsExactly("key:1", "key:2", "key:3");
        append("key:4");
        await().until(() -> heard.size() == 4);
        assertThat(heard).containsExactly("key:1", "key:2", "key:3", "key:4");
    }

    @Test
    void an_event_is_not_skipped_when_an_older_transaction_has_taken_a_higher_id() throws Exception {
        append("key:1");
        try (Connection older = TestPostgres.connect(Objects.requireNonNull(on.address()))) {
            older.setAutoCommit(false);
            older.createStatement().execute("SELECT pg_current_xact_id()");
            appendButDoNotCommit("key:2");
            older.createStatement()
                    .execute("INSERT INTO events (at, type, resource, origin) VALUES (now(), 'claimed', 'key:3', 0)");
            older.commit();
        }
        assertThat(resources()).containsExactly("key:1");
        assertThat(resources()).containsExactly("key:1");
        other.commit();
        assertThat(resources()).containsExactly("key:1", "key:2", "key:3");
    }

    @Test
    void whoever_starts_while_a_lower_id_is_not_committed_does_not_skip_it_either() throws Exception {
        append("key:1");
        appendButDoNotCommit("key:2");
        append("key:3");
        try (EventTail late = EventTail.start(on.store())) {
            assertThat(late.after(0, 100)).extracting(Event::resource).containsExactly("key:1");
            other.commit();
            assertThat(late.after(0, 100)).extracting(Event::resource).containsExactly("key:1", "key:2", "key:3");
        }
    }

    @Test
    void a_gap_whose_transaction_is_gone_is_passed() throws Exception {
        append("key:1");
        appendButDoNotCommit("key:2");
        append("key:3");
        assertThat(resources()).containsExactly("key:1");
        other.rollback();
        assertThat(resources()).containsExactly("key:1", "key:3");
        await().until(() -> heard.equals(List.of("key:1", "key:3")));
    }

    /** Writes something else and does not commit, for as long as the test runs. */
    private static Connection writingElsewhere(String address) throws SQLException {
        Connection writing = TestPostgres.connect(address);
        writing.createStatement().execute("CREATE TABLE elsewhere (id int)");
        writing.setAutoCommit(false);
        writing.createStatement().execute("INSERT INTO elsewhere VALUES (1)");
        writing.createStatement().execute("SELECT pg_current_xact_id()");
        return writing;
    }

    private void assertThatAGapOfOneRolledBackIsPassedAtOnce() throws SQLException {
        append("key:1");
        appendButDoNotCommit("key:2");
        append("key:3");
        other.rollback();
        append("key:4");
        assertThat(resources()).containsExactly("key:1", "key:3", "key:4");
        // at the next look at the latest: nothing waits for the gap
        await().atMost(POLL.plusSeconds(1)).until(() -> heard.equals(List.of("key:1", "key:3", "key:4")));
    }

    @Test
    void a_long_write_in_another_database_of_the_server_holds_nothing_up() throws Exception {
        try (Connection _ = writingElsewhere(TestPostgres.emptyDatabase())) {
            assertThatAGapOfOneRolledBackIsPassedAtOnce();
        }
    }

    @Test
    void a_long_write_to_another_table_of_the_same_database_holds_nothing_up() throws Exception {
        try (Connection _ = writingElsewhere(Objects.requireNonNull(on.address()))) {
            assertThatAGapOfOneRolledBackIsPassedAtOnce();
        }
    }

    @Test
    void a_long_write_to_events_of_another_database_holds_nothing_up() throws Exception {
        try (Connection elsewhere = TestPostgres.connect(TestPostgres.freshDatabase())) {
            elsewhere.setAutoCommit(false);
            elsewhere
                    .createStatement()
                    .execute("INSERT INTO events (at, type, resource, origin) VALUES (now(), 'claimed', 'key:x', 0)");
            assertThatAGapOfOneRolledBackIsPassedAtOnce();
        }
    }

    @Test
    void whoever_has_only_read_events_holds_nothing_up() throws Exception {
        try (Connection reader = TestPostgres.connect(Objects.requireNonNull(on.address()))) {
            reader.setAutoCommit(false);
            reader.createStatement().execute("SELECT pg_current_xact_id(), count(*) FROM events");
            assertThatAGapOfOneRolledBackIsPassedAtOnce();
        }
    }

    @Test
    void an_open_transaction_that_took_its_id_early_is_waited_for_however_many_others_come_and_go() throws Exception {
        append("key:1");
        appendButDoNotCommit("key:2");
        try (Connection rolledBack = TestPostgres.connect(Objects.requireNonNull(on.address()))) {
            rolledBack.setAutoCommit(false);
            for (int i = 0; i < 20; i++) {
                rolledBack
                        .createStatement()
                        .execute(
                                "INSERT INTO events (at, type, resource, origin) VALUES (now(), 'claimed', 'key:x', 0)");
                rolledBack.rollback();
                append("key:later-" + i);
                assertThat(resources()).containsExactly("key:1");
            }
        }
        other.commit();
        assertThat(resources())
                .startsWith("key:1", "key:2", "key:later-0", "key:later-1")
                .hasSize(22);
        await().until(() -> heard.size() == 22);
        assertThat(heard).startsWith("key:1", "key:2", "key:later-0");
    }

    @Test
    void an_event_of_a_transaction_that_is_prepared_for_a_later_commit_is_not_skipped() throws Exception {
        append("key:1");
        appendButDoNotCommit("key:2");
        append("key:3");
        assertThat(resources()).containsExactly("key:1");
        other.createStatement().execute("PREPARE TRANSACTION 'later'");
        assertThat(resources()).containsExactly("key:1");
        assertThat(resources()).containsExactly("key:1");
        other.rollback();
        other.setAutoCommit(true);
        other.createStatement().execute("COMMIT PREPARED 'later'");
        assertThat(resources()).containsExactly("key:1", "key:2", "key:3");
    }

    @Test
    void what_was_undone_inside_a_transaction_that_goes_on_is_waited_for_with_it() throws Exception {
        append("key:1");
        other.createStatement().execute("SAVEPOINT here");
        appendButDoNotCommit("key:undone");
        other.createStatement().execute("ROLLBACK TO here");
        appendButDoNotCommit("key:2");
        append("key:3");
        assertThat(resources()).containsExactly("key:1");
        other.commit();
        assertThat(resources()).containsExactly("key:1", "key:2", "key:3");
    }

    @Test
    void what_was_there_before_is_not_told_again() {
        append("key:1");
        await().until(() -> heard.size() == 1);
        try (EventTail late = EventTail.start(on.store())) {
            List<String> heardLate = new CopyOnWriteArrayList<>();
            late.watch(event -> heardLate.add(event.resource()));
            append("key:2");
            await().until(() -> heardLate.equals(List.of("key:2")));
        }
    }

    @Test
    void whoever_watches_reviews_receives_events_of_reviews_and_reviewers_only() throws Exception {
        List<String> reviews = new CopyOnWriteArrayList<>();
        try (EventTail quiet = EventTail.start(on.store())) {
            quiet.watchReviews(event -> reviews.add(event.resource()));
            append("key:1");
            append("review:1");
            append("work:1");
            append("reviewer:ann");
            appendButDoNotCommit("key:2"); // from another broker
            appendButDoNotCommit("review:2");
            other.commit();
            quiet.changed();
            await().until(() -> reviews.contains("review:2"));
        }
        assertThat(reviews).containsExactly("review:1", "reviewer:ann", "review:2");
    }

    @Test
    void whoever_begins_to_watch_while_events_are_being_read_misses_none_that_come_after() throws Exception {
        List<String> late = new CopyOnWriteArrayList<>();
        AtomicBoolean reading = new AtomicBoolean();
        try (EventTail quiet = EventTail.start(on.store())) {
            quiet.hearOthers(new EventTail.Hearing() {
                @Override
                public Consumer<List<Event>> ask(Transaction transaction, long after, int max) {
                    if (!reading.getAndSet(true)) {
                        quiet.watch(event -> late.add(event.resource()));
                        CompletableFuture.runAsync(() -> append("key:1")).join();
                    }
                    return this;
                }

                @Override
                public void accept(List<Event> events) {}
            });
            other.createStatement().execute("NOTIFY holdfast, 'another broker'");
            other.commit();
            await().until(() -> late.contains("key:1"));
        }
    }

    @Test
    void a_plan_for_few_events_is_not_kept_for_many() throws SQLException {
        for (int i = 0; i < 10; i++) {
            tail.latest(); // after five runs, PostgreSQL may settle for a plan
        }
        try (Statement statement = other.createStatement()) {
            statement.execute("INSERT INTO events (at, type, resource, origin)"
                    + " SELECT now(), 'claimed', 'key:1', 0 FROM generate_series(1, " + MANY + ")");
        }
        other.commit();
        await().until(() -> {
            tail.latest(); // counts are published when a session is used again
            return counted("SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'events_pkey'") > 30;
        });
        assertThat(counted("SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'events'"))
                .isLessThan(MANY);
    }

    private long counted(String query) throws SQLException {
        try (Statement statement = other.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            long count = row.getLong(1);
            other.commit();
            return count;
        }
    }
}
