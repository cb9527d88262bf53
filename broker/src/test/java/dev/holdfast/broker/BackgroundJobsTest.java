package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.store.Share;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class BackgroundJobsTest {
    private static final Duration OFTEN = Duration.ofMillis(10);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final CountDownLatch over = new CountDownLatch(1);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(BackgroundJobs.class);

    @AfterEach
    void giveUp() {
        over.countDown();
        logger.detachAppender(log);
    }

    private void hang() {
        try {
            over.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void however_many_chores_hang_the_others_have_their_turns() {
        AtomicInteger turns = new AtomicInteger();
        AtomicInteger asked = new AtomicInteger();
        try (BackgroundJobs chores = new BackgroundJobs("chores", LIMIT, Share.CHORES)) {
            for (int i = 0; i < 10; i++) {
                chores.every(OFTEN, Duration.ZERO, "hanging " + i, this::hang);
            }
            Runnable ask = chores.whenAsked("asked for", asked::incrementAndGet);
            chores.every(OFTEN, Duration.ZERO, "quick", turns::incrementAndGet);
            chores.every(OFTEN, Duration.ZERO, "asking", ask);
            await().atMost(LIMIT).until(() -> turns.get() > 10 && asked.get() > 10);
            over.countDown();
        }
    }

    @Test
    void a_chore_that_is_asked_for_while_it_is_under_way_is_not_done_twice_at_once() {
        AtomicInteger begun = new AtomicInteger();
        try (BackgroundJobs chores = new BackgroundJobs("chores", LIMIT, Share.CHORES)) {
            Runnable ask = chores.whenAsked("slow", () -> {
                begun.incrementAndGet();
                hang();
            });
            ask.run();
            await().atMost(LIMIT).until(() -> begun.get() == 1);
            ask.run();
            AtomicInteger later = new AtomicInteger();
            chores.every(OFTEN, Duration.ZERO, "later", later::incrementAndGet);
            await().atMost(LIMIT).until(() -> later.get() > 10);
            assertThat(begun).hasValue(1);
            over.countDown();
        }
    }

    @Test
    void a_chore_that_hangs_is_told_of_by_name() {
        log.start();
        logger.addAppender(log);
        try (BackgroundJobs chores = new BackgroundJobs("chores", Duration.ofMillis(50), Share.CHORES)) {
            chores.every(OFTEN, Duration.ZERO, "counting sheep", this::hang);
            await().atMost(LIMIT)
                    .until(() -> List.copyOf(log.list).stream()
                            .anyMatch(event ->
                                    event.getFormattedMessage().startsWith("counting sheep: still running after ")));
            over.countDown();
        }
    }

    @Test
    void a_turn_that_is_skipped_is_not_done_and_the_next_one_comes_all_the_same() {
        AtomicInteger due = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        try (BackgroundJobs chores = new BackgroundJobs("chores", LIMIT, Share.CHORES)) {
            chores.every(
                    OFTEN, Duration.ZERO, "every third", () -> due.incrementAndGet() % 3 != 0, done::incrementAndGet);
            await().atMost(LIMIT).until(() -> done.get() >= 5);
        }
        assertThat(due.get()).isBetween(3 * done.get(), 3 * done.get() + 3); // the last may have been cut off
    }
}
