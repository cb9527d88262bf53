package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.store.ListeningSockets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.SynchronousQueue;
import org.postgresql.PGConnection;

/**
 * The least that PostgreSQL can do to hand a new row to another process: insert and NOTIFY, then a claim by the
 * listener.
 */
final class NotifyRun {
    private static final String CLAIM = """
            UPDATE work SET state = 1, holder = 'agent-1' WHERE id = (SELECT id FROM work WHERE state = 0 ORDER BY id LIMIT 1 \
            FOR UPDATE SKIP LOCKED) RETURNING id""";

    private NotifyRun() {}

    public static void main(String[] given) throws Exception {
        Map<String, String> arguments = ChildJvm.arguments(given);
        long warm = Long.parseLong(arguments.getOrDefault("warm", "0")) * 1_000_000;
        long measured = Long.parseLong(arguments.getOrDefault("measured", "1000")) * 1_000_000;
        String url = arguments.getOrDefault("store", "") + "&prepareThreshold=1";
        PostgresServer.execute(
                url,
                "CREATE TABLE work (id bigint PRIMARY KEY, state smallint NOT NULL DEFAULT 0, holder text)",
                "CREATE INDEX work_ready ON work (id) WHERE state = 0");
        Stopwatch times = new Stopwatch();
        SynchronousQueue<Long> claimed = new SynchronousQueue<>();
        try (Connection maker = DriverManager.getConnection(url);
                PreparedStatement insert = maker.prepareStatement("INSERT INTO work (id) VALUES (?)");
                Statement notice = maker.createStatement();
                Connection listener = DriverManager.getConnection(url + sockets(arguments));
                Statement listen = listener.createStatement()) {
            listen.execute("LISTEN made");
            Thread.ofPlatform().daemon().start(() -> claimWhenTold(url, listener, claimed));
            maker.setAutoCommit(false);
            long start = System.nanoTime();
            for (long id = 1; System.nanoTime() - start < warm + measured; id++) {
                long before = System.nanoTime();
                insert.setLong(1, id);
                insert.executeUpdate();
                notice.execute("NOTIFY made");
                maker.commit();
                long at = claimed.take();
                if (before - start > warm) {
                    times.took(at - before);
                }
            }
        }
        System.out.println(Figures.write(Figure.of(Stopwatch.percentile(List.of(times), 0.5))));
        System.exit(0);
    }

    /** The driver's own sockets, or those of our brokers, on which a notice does not wait for the next one. */
    private static String sockets(Map<String, String> arguments) {
        return arguments.containsKey("at-once") ? "&socketFactory=" + ListeningSockets.class.getName() : "";
    }

    /** Listens on one connection and claims on another, like a worker that must keep listening. */
    private static void claimWhenTold(String url, Connection listener, SynchronousQueue<Long> claimed) {
        try (Connection own = DriverManager.getConnection(url);
                PreparedStatement claim = own.prepareStatement(CLAIM)) {
            while (true) {
                listener.unwrap(PGConnection.class).getNotifications(0);
                boolean some = true;
                while (some) {
                    try (ResultSet row = claim.executeQuery()) {
                        some = row.next();
                    }
                    if (some) {
                        claimed.put(System.nanoTime());
                    }
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
