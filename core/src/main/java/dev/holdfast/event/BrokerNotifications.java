package dev.holdfast.event;

import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.SessionSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies the other brokers on the same PostgreSQL of new events, and receives their notices.
 *
 * <p>Never sends inside a data transaction, where a NOTIFY would make commits queue up: there is one sender, after
 * commit, with at most one pending notice of constant size. A notice may be lost; the tail's polling makes up for it.
 */
final class BrokerNotifications implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerNotifications.class);
    /** An occasional commit is announced almost at once. */
    private static final Duration BETWEEN_NOTICES = Duration.ofMillis(1);
    /** Under load, one notice stands for many commits. */
    private static final Duration UNDER_LOAD = Duration.ofMillis(4);

    /** A notice takes a transaction id and would wait for the disk like a change, although it changes nothing. */
    private static final SessionSettings NOTHING_TO_LOSE = SessionSettings.OURS.with("synchronous_commit", "off");

    private static final Duration BEFORE_RECONNECTING = Duration.ofSeconds(1);
    private static final int LISTEN_FOR_MILLIS = 500;

    private final PostgresStore store;
    private final Runnable onNews;
    private final Thread sender;
    private final Thread listener;
    private volatile @Nullable Connection listening;
    private volatile boolean pending;
    private volatile boolean closed;

    BrokerNotifications(PostgresStore store, Runnable onNews) {
        this.store = store;
        this.onNews = onNews;
        sender = Thread.ofPlatform()
                .daemon()
                .name("holdfast-notices")
                .start(() -> keepConnected(() -> store.connect(NOTHING_TO_LOSE), this::sendPending));
        // on a virtual thread each notice would come by way of the thread that watches sockets
        listener = Thread.ofPlatform()
                .daemon()
                .name("holdfast-listener")
                .start(() -> keepConnected(() -> store.listen(NOTHING_TO_LOSE), this::listen));
    }

    void send() {
        if (!pending) {
            pending = true;
            LockSupport.unpark(sender);
        }
    }

    @FunctionalInterface
    private interface Use {
        void of(Connection connection) throws SQLException;
    }

    @FunctionalInterface
    private interface Opening {
        Connection open() throws SQLException;
    }

    private void keepConnected(Opening opening, Use use) {
        boolean troubled = false;
        while (!closed) {
            try (Connection connection = opening.open()) {
                troubled = false;
                use.of(connection);
            } catch (SQLException e) {
                if (!troubled && !closed) {
                    LOG.warn("no notices to or from other brokers for now, polling instead: {}", e.getMessage());
                }
                troubled = true;
                if (!closed) {
                    LockSupport.parkNanos(BEFORE_RECONNECTING.toNanos());
                }
            }
        }
    }

    private void sendPending(Connection connection) throws SQLException {
        String notify = "NOTIFY holdfast, '" + store.origin() + "'";
        try (Statement statement = connection.createStatement()) {
            while (!closed) {
                if (pending) {
                    pending = false; // before sending: what is committed from now on needs another notice
                    store.use(connection, NOTHING_TO_LOSE, () -> statement.execute(notify));
                    pause(BETWEEN_NOTICES);
                    if (pending) {
                        pause(UNDER_LOAD);
                    }
                } else {
                    LockSupport.park(this);
                }
            }
        }
    }

    /** New events unpark the sender during its pause, which is no reason to send sooner. */
    private void pause(Duration pause) {
        long end = System.nanoTime() + pause.toNanos();
        for (long left = pause.toNanos(); left > 0 && !closed; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void listen(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN holdfast");
        }
        listening = connection;
        onNews.run(); // for what happened before this connection was listening
        PGConnection postgres = connection.unwrap(PGConnection.class);
        String own = Integer.toString(store.origin());
        while (!closed) {
            @Nullable PGNotification[] notices = postgres.getNotifications(LISTEN_FOR_MILLIS);
            if (notices == null) {
                continue;
            }
            for (PGNotification notice : notices) {
                if (notice != null && !own.equals(notice.getParameter())) {
                    onNews.run();
                    break;
                }
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(sender);
        hangUp(listening);
        try {
            sender.join();
            listener.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** The listener is blocked waiting for notices; do not wait for that to end. */
    private static void hangUp(@Nullable Connection listening) {
        try {
            if (listening != null) {
                listening.abort(Runnable::run);
            }
        } catch (SQLException e) {
            LOG.debug("the listener's connection was broken already", e);
        }
    }
}
