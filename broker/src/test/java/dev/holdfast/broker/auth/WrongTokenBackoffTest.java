package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WrongTokenBackoffTest {
    private final AtomicLong now = new AtomicLong(1);
    private final WrongTokenBackoff slowdown = new WrongTokenBackoff(now::get);
    private final InetAddress there = InetAddress.ofLiteral("203.0.113.9");

    @Test
    void each_further_failure_doubles_the_wait_up_to_a_minute_and_time_forgives() {
        for (int i = 0; i < 4; i++) {
            slowdown.failed(there);
        }
        assertThat(slowdown.left(there)).isZero();
        slowdown.failed(there);
        assertThat(slowdown.left(there)).isEqualTo(Duration.ofSeconds(1));
        slowdown.failed(there);
        assertThat(slowdown.left(there)).isEqualTo(Duration.ofSeconds(2));
        for (int i = 0; i < 100; i++) {
            slowdown.failed(there);
        }
        assertThat(slowdown.left(there)).isEqualTo(Duration.ofMinutes(1));
        now.addAndGet(Duration.ofMinutes(11).toNanos());
        slowdown.failed(there);
        assertThat(slowdown.left(there)).isZero();
    }

    @Test
    void a_machine_with_a_whole_network_of_addresses_is_one() {
        for (int i = 0; i < 5; i++) {
            slowdown.failed(InetAddress.ofLiteral("2001:db8::" + i));
        }
        assertThat(slowdown.left(InetAddress.ofLiteral("2001:db8::99"))).isPositive();
        assertThat(slowdown.left(InetAddress.ofLiteral("2001:db8:1::99"))).isZero();
    }

    @Test
    void however_many_addresses_fail_it_remembers_a_bounded_number() {
        for (int i = 0; i < 5; i++) {
            slowdown.failed(there);
        }
        for (int i = 0; i < 20_000; i++) {
            slowdown.failed(InetAddress.ofLiteral("10.0." + i / 256 + "." + i % 256));
        }
        assertThat(slowdown.left(there)).as("forgotten for newer ones").isZero();
    }
}
