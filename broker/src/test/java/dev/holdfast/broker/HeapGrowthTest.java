package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HeapGrowthTest {
    private static final long LIVE = 2 * HeapGrowth.LITTLE;

    private final AtomicLong used = new AtomicLong();
    private final AtomicInteger collections = new AtomicInteger();
    private final HeapGrowth garbage = new HeapGrowth(used::get, () -> {
        collections.incrementAndGet();
        used.set(LIVE);
    });

    @Test
    void a_small_heap_is_left_alone() {
        used.set(HeapGrowth.LITTLE);
        garbage.turn();
        assertThat(collections).hasValue(0);
    }

    @Test
    void garbage_is_collected_when_there_may_be_more_of_it_than_what_is_in_use() {
        used.set(HeapGrowth.LITTLE + 1);
        garbage.turn();
        assertThat(collections).hasValue(1);
        used.set(2 * LIVE);
        garbage.turn();
        assertThat(collections).hasValue(1);
        used.set(2 * LIVE + 1);
        garbage.turn();
        assertThat(collections).hasValue(2);
    }
}
