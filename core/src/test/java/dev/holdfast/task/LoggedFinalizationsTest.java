package dev.holdfast.task;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.store.Engine;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Who debugs a finalization sees in the log what each processor asked for and was told. */
class LoggedFinalizationsTest extends OnAStore {
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger log = (Logger) LoggerFactory.getLogger(Finalizations.class);

    LoggedFinalizationsTest() {
        super(Engine.SQLITE);
    }

    @BeforeEach
    void listen() {
        log.setLevel(Level.DEBUG);
        log.addAppender(lines);
        lines.start();
    }

    @AfterEach
    void stopListening() {
        log.detachAppender(lines);
        log.setLevel(null);
    }

    @Test
    void each_claim_extension_release_and_end_is_a_line_at_debug() {
        String id = tasks.create(NewTask.of("one", NewStep.of("only")).finalizer(Finalizer.EXTERNAL))
                .id();
        Steps.ClaimedStep step =
                tasks.steps().claimNext("a", null, null, null, Duration.ZERO).orElseThrow();
        tasks.steps().complete(step.step().id(), step.claim().fence(), null);

        tasks.finalizations().claim(id, "p", null, null);
        tasks.finalizations().claim(id, "q", null, null);
        tasks.finalizations().claim(id, "p", null, 1L);
        tasks.finalizations().release(id, "q", 1L, null);
        tasks.finalizations().release(id, "p", 1L, null);
        tasks.finalizations().claim(id, "q", null, null);
        tasks.finalizations().finish(id, "q", 2, null, null);

        assertThat(lines.list).allMatch(line -> line.getLevel() == Level.DEBUG);
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("p claims task " + id + ": granted, generation 1"),
                        line -> assertThat(line).contains("q claims", ": already_claimed, generation none, held by p"),
                        line -> assertThat(line).contains("p claims", ": extended, generation 1"),
                        line -> assertThat(line).contains("q releases", ": not_owned, generation 1"),
                        line -> assertThat(line).contains("p releases", ": released, generation 1"),
                        line -> assertThat(line).contains("q claims", ": granted, generation 2"),
                        line -> assertThat(line).contains("q ends", ": finished, generation 2"));
    }
}
