package dev.holdfast.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class FreePortTest {
    @RepeatedTest(20)
    void where_the_last_port_is_taken_the_search_goes_on_at_the_first() throws IOException {
        int first = FreePort.find();
        try (ServerSocket _ = new ServerSocket(first + 1, 1, InetAddress.getLoopbackAddress())) {
            assertThat(FreePort.find(first, first + 2)).isEqualTo(first);
        }
    }

    @Test
    void where_all_are_taken_it_says_so() throws IOException {
        int only = FreePort.find();
        try (ServerSocket _ = new ServerSocket(only, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> FreePort.find(only, only + 1)).hasMessageContaining("are in use");
        }
    }
}
