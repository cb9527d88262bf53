package dev.holdfast.broker.fuzz;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Sees what brokers log that they should not: errors, and hooks that ended with anything but a refusal. */
final class LogWatch extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private static final String HOOKS = "dev.holdfast.broker.hook.HookDoor";

    /** What a hook that makes no sense ends with; the host is told nothing. */
    private static final List<String> EXPECTED = List.of(
            "dev.holdfast.claim.RefusedException", "dev.holdfast.claim.InvalidException", "tools.jackson.core.");

    private final Queue<String> seen = new ConcurrentLinkedQueue<>();
    private final Logger root = (Logger) LoggerFactory.getLogger("dev.holdfast");

    LogWatch() {
        start();
        root.addAppender(this);
        root.setAdditive(false);
    }

    @Override
    protected void append(ILoggingEvent line) {
        String text = line.getFormattedMessage();
        boolean broke = line.getLevel() == Level.ERROR;
        boolean hook = line.getLoggerName().equals(HOOKS) && EXPECTED.stream().noneMatch(text::contains);
        if (broke || hook) {
            seen.add(line.getLevel() + " " + text + cause(line.getThrowableProxy()));
        }
    }

    private static String cause(@Nullable IThrowableProxy thrown) {
        StringBuilder text = new StringBuilder();
        for (IThrowableProxy one = thrown; one != null; one = one.getCause()) {
            text.append("\n      ").append(one.getClassName()).append(": ").append(one.getMessage());
            for (int i = 0; i < Math.min(8, one.getStackTraceElementProxyArray().length); i++) {
                text.append("\n        ").append(one.getStackTraceElementProxyArray()[i]);
            }
        }
        return text.toString();
    }

    /** The next that was logged; null: nothing. */
    @Nullable
    String next() {
        return seen.poll();
    }

    @Override
    public void close() {
        root.detachAppender(this);
        root.setAdditive(true);
        stop();
    }
}
