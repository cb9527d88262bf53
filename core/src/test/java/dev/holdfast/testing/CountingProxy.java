package dev.holdfast.testing;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sits between a client and PostgreSQL and records every round trip: what the client sends until it waits for an
 * answer, which it does after each Sync or simple Query message. Connections must neither be encrypted nor use named
 * prepared statements ({@link #PARAMETERS}).
 */
public final class CountingProxy extends TestProxy {
    /** Address parameters that make every statement arrive as text. */
    public static final String PARAMETERS = "sslmode=disable&gssEncMode=disable&prepareThreshold=0";

    /** @param statements in the order sent, including BEGIN and COMMIT */
    private record Trip(int connection, List<String> statements) {}

    private final List<Trip> trips = new ArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();

    public CountingProxy(int serverPort) {
        super(serverPort);
    }

    public void forget() {
        synchronized (trips) {
            trips.clear();
        }
    }

    /**
     * The transactions since {@link #forget}, each as its round trips, each of those as what it sent. A statement
     * outside a transaction is a transaction of one trip.
     */
    public List<List<String>> transactions() {
        List<List<String>> all = new ArrayList<>();
        Map<Integer, List<String>> open = new HashMap<>();
        synchronized (trips) {
            for (Trip trip : trips) {
                String text = String.join("; ", trip.statements);
                List<String> current = Optional.ofNullable(open.remove(trip.connection))
                        .orElseGet(() -> {
                            List<String> begun = new ArrayList<>();
                            all.add(begun);
                            return begun;
                        });
                current.add(text);
                boolean inside = trip.statements.contains("BEGIN") || current.size() > 1;
                boolean over = trip.statements.contains("COMMIT") || trip.statements.contains("ROLLBACK");
                if (inside && !over) {
                    open.put(trip.connection, current);
                }
            }
        }
        return all;
    }

    @Override
    void connected(Socket client, Socket server) {
        int connection = connections.incrementAndGet();
        Thread.ofVirtual().start(() -> requests(client, server, connection));
        Thread.ofVirtual().start(() -> pump(server, client));
    }

    private void requests(Socket client, Socket server, int connection) {
        try (client;
                server) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            OutputStream out = server.getOutputStream();
            pass(in, out, new byte[0]); // only the startup packet has no type
            List<String> statements = new ArrayList<>();
            while (true) {
                byte type = in.readByte();
                byte[] body = pass(in, out, new byte[] {type});
                switch (type) {
                    case 'P' -> statements.add(text(body, 1));
                    case 'Q' -> {
                        statements.add(text(body, 0));
                        // the driver does not wait for the answer to its BEGIN
                        statements = statements.equals(List.of("BEGIN")) ? statements : noted(connection, statements);
                    }
                    case 'S' -> statements = noted(connection, statements);
                    default -> {}
                }
            }
        } catch (IOException _) {
            // one side is gone, so the other goes too
        }
    }

    private List<String> noted(int connection, List<String> statements) {
        synchronized (trips) {
            trips.add(new Trip(connection, statements));
        }
        return new ArrayList<>();
    }

    private static byte[] pass(DataInputStream in, OutputStream out, byte[] type) throws IOException {
        int length = in.readInt();
        byte[] body = in.readNBytes(length - 4);
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(type);
        whole.write(new byte[] {(byte) (length >> 24), (byte) (length >> 16), (byte) (length >> 8), (byte) length});
        whole.write(body);
        out.write(whole.toByteArray());
        out.flush();
        return body;
    }

    /** The text after this many others, each of which ends with a zero. */
    private static String text(byte[] body, int skipped) {
        return new String(body, StandardCharsets.UTF_8).split("\0", -1)[skipped].strip();
    }
}
