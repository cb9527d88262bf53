package dev.holdfast.broker;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Logs one line per message to stderr; stdout is reserved for the line that says the broker is ready. Configured in
 * code, because reading logback's XML takes a fifth of a broker's startup time. A configuration file that logback is
 * given or finds takes precedence.
 */
public final class LogOutput extends ContextAwareBase implements Configurator {
    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z', UTC} %-5level %logger{0}: %msg%n%ex";

    @Override
    public ExecutionStatus configure(LoggerContext logging) {
        if (System.getProperty("logback.configurationFile") != null
                || LogOutput.class.getResource("/logback-test.xml") != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(logging);
        encoder.setPattern(PATTERN);
        encoder.start();
        ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
        stderr.setContext(logging);
        stderr.setTarget("System.err");
        stderr.setEncoder(encoder);
        stderr.start();
        Logger root = logging.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(stderr);
        // a malformed Host header is answered; if Jetty also logged it, any caller could fill the log
        logging.getLogger("org.eclipse.jetty.util.HostPort").setLevel(Level.ERROR);
        logging.getLogger("dev.holdfast").setLevel(Level.toLevel(System.getenv("HOLDFAST_LOG_LEVEL"), Level.INFO));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
