package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CombinerTest {
    private record Request(String key, int number) {}

    private final List<List<Request>> written = new CopyOnWriteArrayList<>();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch writing = new CountDownLatch(1);

    private Combiner<Request> combiner(int capacity, int largest) {
        return combiner(capacity, largest, 1);
    }

    private Combiner<Request> combiner(int capacity, int largest, int writers) {
        return new Combiner<>(
                Executors.newVirtualThreadPerTaskExecutor(),
                capacity,
                largest,
                request -> List.of(request.key),
                Collections.nCopies(writers, this::write));
    }

    private void write(List<Request> batch) {
        written.add(List.copyOf(batch));
        writing.countDown();
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Submits a first request that keeps the writer busy until the gate opens. */
    private Thread occupy(Combiner<Request> combiner) throws InterruptedException {
        Thread first = Thread.startVirtualThread(() -> combiner.submit(new Request("first", 0)));
        writing.await();
        return first;
    }

    @Test
    void what_queues_up_during_one_write_is_the_next_batch() throws Exception {
        try (Combiner<Request> combiner = combiner(100, 10)) {
            occupy(combiner);
            IntStream.range(0, 5).forEach(i -> combiner.submit(new Request("k" + i, i)));
            assertThat(combiner.waiting()).isEqualTo(5);
            gate.countDown();
            await().until(() -> written.size() == 2);
            assertThat(written.get(1)).extracting(Request::number).containsExactly(0, 1, 2, 3, 4);
        }
    }

    @Test
    void two_requests_on_the_same_thing_are_never_in_one_batch_and_keep_their_order() throws Exception {
        Combiner<Request> combiner = combiner(10_000, 16);
        occupy(combiner);
        gate.countDown();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int thread = 0; thread < 8; thread++) {
                String own = "own" + thread;
                var _ = threads.submit(() -> IntStream.range(0, 500).forEach(i -> {
                    combiner.submit(new Request(own, i));
                    combiner.submit(new Request("shared", i));
                }));
            }
        }
        combiner.close();
        Map<String, List<Integer>> order = new ConcurrentHashMap<>();
        for (List<Request> batch : written) {
            assertThat(new HashSet<>(batch.stream().map(Request::key).toList())).hasSameSizeAs(batch);
            batch.forEach(request ->
                    order.computeIfAbsent(request.key, _ -> new ArrayList<>()).add(request.number));
        }
        for (int thread = 0; thread < 8; thread++) {
            assertThat(order.get("own" + thread))
                    .containsExactlyElementsOf(IntStream.range(0, 500).boxed().toList());
        }
        assertThat(order.get("shared")).hasSize(8 * 500);
    }

    @Test
    void beyond_its_capacity_it_is_busy() throws Exception {
        try (Combiner<Request> combiner = combiner(2, 10)) {
            occupy(combiner);
            combiner.submit(new Request("a", 1));
            combiner.submit(new Request("b", 2));
            assertThatThrownBy(() -> combiner.submit(new Request("c", 3))).isInstanceOf(BusyException.class);
            gate.countDown();
        }
    }

    @Test
    void closing_writes_what_is_queued_and_takes_nothing_more() throws Exception {
        Combiner<Request> combiner = combiner(100, 2);
        occupy(combiner);
        IntStream.range(0, 9).forEach(i -> combiner.submit(new Request("k" + i, i)));
        gate.countDown();
        combiner.close();
        assertThat(written.stream().mapToInt(List::size).sum()).isEqualTo(10);
        assertThat(written).allMatch(batch -> batch.size() <= 2);
        assertThatThrownBy(() -> combiner.submit(new Request("late", 1))).isInstanceOf(BusyException.class);
        combiner.close(); // once more does no harm
    }

    @Test
    void few_are_left_to_the_writer_that_is_at_work() throws Exception {
        try (Combiner<Request> combiner = combiner(100, 100, 2)) {
            occupy(combiner);
            IntStream.range(0, 38).forEach(i -> combiner.submit(new Request("k" + i, i)));
            assertThat(written).hasSize(1);
            assertThat(combiner.waiting()).isEqualTo(38);
            gate.countDown();
        }
        assertThat(written.stream().map(List::size)).containsExactly(1, 38);
    }

    @Test
    void when_many_wait_a_second_writer_joins_and_takes_its_share() throws Exception {
        try (Combiner<Request> combiner = combiner(200, 200, 2)) {
            occupy(combiner);
            Thread many = Thread.startVirtualThread(() ->
                    IntStream.range(0, 120).forEach(i -> combiner.submit(new Request("k" + i, i))));
            await().until(() -> written.size() == 2);
            assertThat(written.getLast()).hasSizeBetween(32, 64); // half of those who wait when it joins
            gate.countDown();
            many.join();
        }
        assertThat(written.stream().mapToInt(List::size).sum()).isEqualTo(121);
    }

    @Test
    void what_one_writer_is_writing_the_other_leaves_alone() throws Exception {
        Map<String, AtomicInteger> writers = new ConcurrentHashMap<>();
        List<String> together = new CopyOnWriteArrayList<>();
        Consumer<List<Request>> write = batch -> {
            written.add(List.copyOf(batch));
            for (Request request : batch) {
                if (writers.computeIfAbsent(request.key, _ -> new AtomicInteger())
                                .incrementAndGet()
                        > 1) {
                    together.add(request.key);
                }
            }
            batch.forEach(
                    request -> Objects.requireNonNull(writers.get(request.key)).decrementAndGet());
        };
        Combiner<Request> combiner = new Combiner<>(
                Executors.newVirtualThreadPerTaskExecutor(),
                10_000,
                16,
                request -> List.of(request.key),
                Collections.nCopies(2, write));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int thread = 0; thread < 16; thread++) {
                threads.execute(() ->
                        IntStream.range(0, 500).forEach(i -> combiner.submit(new Request("shared" + i % 5, i))));
            }
        }
        combiner.close();
        assertThat(together).isEmpty();
        assertThat(written.stream().mapToInt(List::size).sum()).isEqualTo(16 * 500);
    }
}
