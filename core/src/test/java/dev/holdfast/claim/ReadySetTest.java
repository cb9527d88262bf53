package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReadySetTest {
    private final ReadySet ready = new ReadySet();

    @Test
    void nothing_is_given_before_the_table_was_asked() {
        ready.add(item("new", "q", 4, 9));
        assertThat(ready.take(Kind.WORK, Filter.ANY)).isEmpty();
        ready.refill(Kind.WORK, null, () -> List.of(item("old", "q", 0, 1), item("new", "q", 4, 9)));
        assertThat(ready.take(Kind.WORK, Filter.ANY)).contains(item("old", "q", 0, 1));
        assertThat(ready.take(Kind.WORK, Filter.ANY)).contains(item("new", "q", 4, 9));
    }

    @Test
    void what_is_worse_than_the_horizon_waits_in_the_table() {
        List<Item> best = IntStream.range(0, ReadySet.REFILL)
                .mapToObj(i -> item("w" + i, "q", 1, i))
                .toList();
        ready.refill(Kind.WORK, null, () -> best);
        ready.add(item("late and worse", "q", 3, ReadySet.REFILL));
        ready.add(item("late and better", "q", 0, ReadySet.REFILL + 1));
        assertThat(ready.take(Kind.WORK, Filter.ANY)).contains(item("late and better", "q", 0, ReadySet.REFILL + 1));
        for (Item item : best) {
            assertThat(ready.take(Kind.WORK, Filter.ANY)).contains(item);
        }
        assertThat(ready.take(Kind.WORK, Filter.ANY)).isEmpty();
        assertThat(ready.isUsedUp(Kind.WORK, null)).isTrue();
    }

    @Test
    void what_becomes_ready_while_the_table_is_asked_is_not_forgotten() {
        ready.refill(Kind.WORK, null, () -> {
            ready.add(item("in between", "q", 0, 2));
            return List.of(item("old", "q", 1, 1));
        });
        assertThat(ready.take(Kind.WORK, Filter.ANY)).contains(item("in between", "q", 0, 2));
    }

    @Test
    void a_queue_that_was_asked_for_by_name_says_nothing_about_the_others() {
        ready.refill(Kind.WORK, "a", () -> List.of(item("a1", "a", 4, 1)));
        assertThat(ready.take(Kind.WORK, Filter.ANY)).isEmpty();
        assertThat(ready.take(Kind.WORK, Filter.queue("a"))).contains(item("a1", "a", 4, 1));
        ready.add(item("a2", "a", 0, 2));
        assertThat(ready.take(Kind.WORK, Filter.queue("a"))).contains(item("a2", "a", 0, 2));
    }

    @Test
    void the_worst_of_an_overlong_queue_are_left_to_the_table() {
        ready.refill(Kind.WORK, null, List::of);
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < ReadySet.MAX_PER_QUEUE + 10; i++) {
            items.add(item("w" + i, "q", 2, i));
        }
        items.forEach(ready::add);
        for (Item item : items.subList(0, ReadySet.MAX_PER_QUEUE)) {
            assertThat(ready.take(Kind.WORK, Filter.ANY)).contains(item);
        }
        assertThat(ready.take(Kind.WORK, Filter.ANY)).isEmpty();
    }

    @Test
    void a_refill_does_not_bring_back_what_is_still_being_claimed_or_was_claimed_meanwhile() {
        Item first = item("first", "q", 1, 1);
        Item second = item("second", "q", 1, 2);
        Item third = item("third", "q", 1, 3);
        ready.refill(Kind.WORK, null, () -> List.of(first, second, third));
        ready.take(Kind.WORK, Filter.ANY);
        ready.take(Kind.WORK, Filter.ANY);
        ready.refill(Kind.WORK, null, () -> {
            ready.settled(second);
            return List.of(first, second, third);
        });
        assertThat(ready.take(Kind.WORK, Filter.ANY)).contains(third);
        assertThat(ready.take(Kind.WORK, Filter.ANY)).isEmpty();
        ready.settled(first);
        ready.refill(Kind.WORK, null, () -> List.of(first));
        assertThat(ready.take(Kind.WORK, Filter.ANY)).contains(first);
    }

    @Test
    void when_few_are_left_one_caller_asks_the_table_before_anybody_has_to_wait() {
        List<Item> best = IntStream.range(0, ReadySet.REFILL)
                .mapToObj(i -> item("w" + i, "q", 1, i))
                .toList();
        ready.refill(Kind.WORK, null, () -> best);
        assertThat(ready.startsToRefill(Kind.WORK, null)).isFalse();
        for (int i = 0; i <= ReadySet.REFILL * 3 / 4; i++) {
            ready.take(Kind.WORK, Filter.ANY);
        }
        assertThat(ready.startsToRefill(Kind.WORK, null)).isTrue();
        assertThat(ready.startsToRefill(Kind.WORK, null)).isFalse();
        ready.refill(Kind.WORK, null, List::of); // now it knows everything there is
        assertThat(ready.startsToRefill(Kind.WORK, null)).isFalse();
    }

    @Test
    void a_short_queue_that_is_known_to_its_end_is_not_asked_for_again() {
        List<Item> best = IntStream.range(0, ReadySet.REFILL)
                .mapToObj(i -> item("w" + i, "long", 1, i))
                .toList();
        ready.refill(Kind.WORK, null, () -> best);
        assertThat(ready.startsToRefill(Kind.WORK, "short")).isTrue();
        ready.refill(Kind.WORK, "short", () -> List.of(item("last", "short", 4, ReadySet.REFILL)));
        assertThat(ready.startsToRefill(Kind.WORK, "short")).isFalse();
    }

    @Test
    void brokers_try_their_own_share_first_among_equals_only() {
        ready.refill(Kind.WORK, null, () -> List.of(item("a", "q", 1, 1), item("b", "q", 1, 2), item("c", "q", 2, 3)));
        ready.share(Math.floorMod("work:b".hashCode(), 2), 2);
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            order.add(ready.take(Kind.WORK, Filter.ANY).orElseThrow().key());
        }
        assertThat(order.getLast()).isEqualTo("work:c");
        assertThat(order.getFirst()).isEqualTo("work:b");
    }

    private static Item item(String id, String queue, int priority, long seq) {
        return new Item("work:" + id, Kind.WORK, queue, priority, seq, Set.of());
    }
}
