package dev.holdfast.broker.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.agent.AgentProcess;
import dev.holdfast.store.BusyException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerProcessesTest {
    private final PeerProcesses peers = new PeerProcesses(new Processes(Machine.here()));

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    @EnabledOnOs(OS.LINUX)
    void the_process_at_the_other_end_is_found_with_those_that_started_it(String address) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(address, 0));
                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                SocketChannel accepted = server.accept()) {
            assertThat(peers.of((InetSocketAddress) accepted.getRemoteAddress(), (InetSocketAddress)
                            accepted.getLocalAddress()))
                    .extracting(AgentProcess::pid)
                    .startsWith(
                            ProcessHandle.current().pid(),
                            ProcessHandle.current().parent().orElseThrow().pid());
            assertThat(client.isConnected()).isTrue();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void one_that_called_before_and_one_that_is_new_are_told_apart() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))) {
            long here = ProcessHandle.current().pid();
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            try (SocketChannel _ = SocketChannel.open(server.getLocalAddress())) {
                assertThat(next(server)).isEqualTo(here);
            }
            Process another = new ProcessBuilder("bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/" + port + "; read").start();
            try {
                assertThat(next(server)).isEqualTo(another.pid());
            } finally {
                another.destroy();
            }
            try (SocketChannel _ = SocketChannel.open(server.getLocalAddress())) {
                assertThat(next(server)).isEqualTo(here);
            }
        }
    }

    /** The process behind the next connection. */
    private long next(ServerSocketChannel server) throws IOException {
        try (SocketChannel accepted = server.accept()) {
            return peers.of((InetSocketAddress) accepted.getRemoteAddress(), (InetSocketAddress)
                            accepted.getLocalAddress())
                    .getFirst()
                    .pid();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void a_caller_that_could_not_be_found_in_time_is_not_taken_for_an_unknown_one() throws IOException {
        PeerProcesses hurried = new PeerProcesses(new Processes(Machine.here()), Duration.ZERO);
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                SocketChannel accepted = server.accept()) {
            InetSocketAddress remote = (InetSocketAddress) accepted.getRemoteAddress();
            InetSocketAddress local = (InetSocketAddress) accepted.getLocalAddress();
            assertThatThrownBy(() -> hurried.of(remote, local)).isInstanceOf(BusyException.class);
            assertThat(client.isConnected()).isTrue();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void a_caller_that_hangs_up_after_its_call_is_not_taken_for_an_unknown_one() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                SocketChannel accepted = server.accept()) {
            client.close();
            InetSocketAddress remote = (InetSocketAddress) accepted.getRemoteAddress();
            InetSocketAddress local = (InetSocketAddress) accepted.getLocalAddress();
            assertThatThrownBy(() -> peers.of(remote, local))
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining("the caller hung up");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void each_of_many_that_call_at_once_is_found_or_told_that_it_hung_up() throws Exception {
        int many = 200;
        List<SocketChannel> accepted = new ArrayList<>();
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0), many);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<SocketChannel> clients = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                clients.add(SocketChannel.open(server.getLocalAddress()));
                accepted.add(server.accept());
            }
            for (int i = 0; i < many; i += 2) {
                clients.get(i).close();
            }
            List<Future<List<AgentProcess>>> found = new ArrayList<>();
            for (SocketChannel channel : accepted) {
                InetSocketAddress remote = (InetSocketAddress) channel.getRemoteAddress();
                InetSocketAddress local = (InetSocketAddress) channel.getLocalAddress();
                found.add(callers.submit(() -> peers.of(remote, local)));
            }
            for (int i = 0; i < many; i++) {
                if (i % 2 == 0) {
                    assertThatThrownBy(found.get(i)::get)
                            .hasCauseInstanceOf(BusyException.class)
                            .hasMessageContaining("the caller hung up");
                } else {
                    assertThat(found.get(i).get().getFirst().pid())
                            .isEqualTo(ProcessHandle.current().pid());
                    clients.get(i).close();
                }
            }
        } finally {
            for (SocketChannel channel : accepted) {
                channel.close();
            }
        }
    }

    @Test
    void nobody_is_found_behind_a_connection_from_elsewhere() throws IOException {
        InetSocketAddress here = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 8321);
        assertThat(peers.of(new InetSocketAddress(InetAddress.getByName("192.0.2.1"), 4711), here))
                .isEmpty();
    }

    @Test
    void addresses_are_read_as_the_kernel_writes_them() throws IOException {
        assertThat(ConnectionTable.isAt("0100007F:2081", new InetSocketAddress("127.0.0.1", 8321)))
                .isTrue();
        assertThat(ConnectionTable.isAt(
                        "0000000000000000FFFF00000100007F:2081", new InetSocketAddress("127.0.0.1", 8321)))
                .isTrue();
        assertThat(ConnectionTable.isAt("00000000000000000000000001000000:2081", new InetSocketAddress("::1", 8321)))
                .isTrue();
        assertThat(ConnectionTable.isAt("0100007F:2082", new InetSocketAddress("127.0.0.1", 8321)))
                .isFalse();
        assertThat(ConnectionTable.isAt("0200007F:2081", new InetSocketAddress("127.0.0.1", 8321)))
                .isFalse();
    }
}
