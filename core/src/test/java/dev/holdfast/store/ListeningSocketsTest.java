package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testing.TestPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

@Timeout(30)
class ListeningSocketsTest {
    private static final int LOOK = 1;

    @Test
    void a_look_takes_what_has_arrived_and_does_not_wait_for_more() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new ListeningSockets().createSocket()) {
            socket.connect(server.getLocalSocketAddress());
            try (Socket accepted = server.accept()) {
                accepted.getOutputStream().write(new byte[] {1, 2});
            }
            assertThat(read(socket, 0)).isEqualTo(1);
            assertThat(read(socket, LOOK)).isEqualTo(1);
            assertThat(read(socket, 0)).as("the end").isEqualTo(-1);
            assertThatThrownBy(() -> read(socket, LOOK)).isInstanceOf(SocketTimeoutException.class);
            assertThat(read(socket, 0)).as("still the end").isEqualTo(-1);
        }
    }

    private static int read(Socket socket, int timeoutMillis) throws IOException {
        socket.setSoTimeout(timeoutMillis);
        InputStream stream = socket.getInputStream();
        return stream.read(new byte[1], 0, 1);
    }

    @Test
    void every_notice_arrives_over_a_connection_that_listens() throws Exception {
        String address = TestPostgres.emptyDatabase();
        try (PostgresStore store = PostgresStore.open(address);
                Connection listening = store.listen(SessionSettings.OURS);
                Statement listen = listening.createStatement();
                Connection other = TestPostgres.connect(address);
                Statement notify = other.createStatement()) {
            listen.execute("LISTEN numbers");
            List<String> expected = new ArrayList<>();
            List<String> arrived = new ArrayList<>();
            for (int i = 0; i < 200; i += 2) {
                notify.execute("NOTIFY numbers, '" + i + "'; NOTIFY numbers, '" + (i + 1) + "'");
                expected.addAll(List.of("" + i, "" + (i + 1)));
                while (arrived.size() < expected.size()) {
                    arrived.addAll(next(listening));
                }
            }
            assertThat(arrived).isEqualTo(expected);
        }
    }

    private static List<String> next(Connection listening) throws SQLException {
        PGNotification[] notices = listening.unwrap(PGConnection.class).getNotifications(0);
        return Arrays.stream(notices).map(PGNotification::getParameter).toList();
    }

    @Test
    void a_socket_factory_in_the_address_is_used_instead() {
        PostgresAddress address = PostgresAddress.parse(TestPostgres.emptyDatabase() + "&socketFactory=none.Such");
        PostgresConnections ours = new PostgresConnections(address, SessionSettings.OURS, 0);
        assertThatThrownBy(() -> ours.listening().open()).hasMessageContaining("none.Such");
    }
}
