package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class NearbyIdsTest {
    private static final long SECOND = 1_000_000_000L;
    private final AtomicLong nanos = new AtomicLong();
    private final NearbyIds ids = new NearbyIds(nanos::get, UUID::randomUUID);

    @Test
    void ids_made_together_are_neighbours_with_different_beginnings() {
        List<Integer> beginnings = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            beginnings.add(beginning(ids.get()));
            nanos.addAndGet(SECOND / 2);
        }
        for (int i = 1; i < beginnings.size(); i++) {
            // the 32 bits wrap around, as the subtraction does
            assertThat(beginnings.get(i) - beginnings.get(i - 1)).isBetween(1, 1 << 14);
        }
    }

    @Test
    void ids_made_apart_have_nothing_in_common() {
        Set<String> beginnings = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            beginnings.add(ids.get().substring(0, 4));
            nanos.addAndGet(SECOND);
        }
        assertThat(beginnings).hasSizeGreaterThan(90);
    }

    @Test
    void every_id_is_a_random_uuid() {
        assertThat(UUID.fromString(ids.get()).version()).isEqualTo(4);
        assertThat(new NearbyIds().get()).hasSize(36).isNotEqualTo(new NearbyIds().get());
    }

    private static int beginning(String id) {
        return Integer.parseUnsignedInt(id.substring(0, 8), 16);
    }
}
