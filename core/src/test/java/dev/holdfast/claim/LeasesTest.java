package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeasesTest {
    private static final Instant CLAIMED = Instant.parse("2026-11-18T10:00:00Z");
    private static final Leases LEASES = new Leases(Map.of(Kind.WORK, Duration.ofMinutes(10)), Duration.ofHours(1));
    private static final Leases LIMITED = LEASES.inAll(Kind.WORK, Duration.ofMinutes(5));

    private static Claim claim(Kind kind, Duration lease) {
        return new Claim(new Resource(kind, "a"), "ann", 1, CLAIMED, CLAIMED, CLAIMED.plus(lease), true, 0, null);
    }

    @Test
    void without_a_ttl_the_kind_decides() {
        assertThat(LEASES.micros(Kind.WORK, null)).isEqualTo(600_000_000);
        assertThat(LEASES.micros(Kind.KEY, null)).isEqualTo(Kind.KEY.lease().toNanos() / 1_000);
    }

    @Test
    void a_ttl_may_be_as_short_and_as_long_as_the_limits_and_no_further() {
        assertThat(LEASES.micros(Kind.WORK, Duration.ofSeconds(1))).isEqualTo(1_000_000);
        assertThat(LEASES.micros(Kind.WORK, Duration.ofHours(1))).isEqualTo(3_600_000_000L);
        assertThatThrownBy(() -> LEASES.micros(Kind.WORK, Duration.ofMillis(999)))
                .isInstanceOf(InvalidException.class)
                .hasMessage("ttl must be from 1 to 3600 seconds, not 0.999");
        assertThatThrownBy(() -> LEASES.micros(Kind.WORK, Duration.ofHours(1).plusMillis(1)))
                .isInstanceOf(InvalidException.class);
    }

    @Test
    void no_lease_is_longer_than_a_claim_may_last() {
        assertThat(LIMITED.micros(Kind.WORK, null)).isEqualTo(300_000_000);
        assertThat(LIMITED.micros(Kind.WORK, Duration.ofMinutes(2))).isEqualTo(120_000_000);
        assertThat(LIMITED.micros(Kind.KEY, Duration.ofMinutes(30))).isEqualTo(1_800_000_000);
    }

    @Test
    void a_claim_is_shown_to_end_when_it_has_lasted_as_long_as_it_may() {
        Claim longer = claim(Kind.WORK, Duration.ofMinutes(7));
        Claim shorter = claim(Kind.WORK, Duration.ofMinutes(5));
        Claim other = claim(Kind.KEY, Duration.ofMinutes(7));

        assertThat(LIMITED.limited(List.of(longer, shorter, other)))
                .extracting(Claim::expiresAt)
                .containsExactly(
                        CLAIMED.plus(Duration.ofMinutes(5)),
                        CLAIMED.plus(Duration.ofMinutes(5)),
                        CLAIMED.plus(Duration.ofMinutes(7)));
        assertThat(LEASES.limited(List.of(longer))).containsExactly(longer);
    }
}
