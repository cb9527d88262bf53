package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.RefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MemorySharesTest {
    /** A body of 100 bytes takes 300. */
    private final MemoryShares memory = new MemoryShares(1_200, Duration.ZERO);

    private MemoryShares.Share body(@Nullable String caller, long length) {
        MemoryShares.Share share = memory.share(caller);
        share.takeBody(length);
        return share;
    }

    @Test
    void one_caller_gets_half_of_the_room_and_all_together_all_of_it() {
        MemoryShares.Share first = body("ann", 100);
        body("ann", 100);
        assertThatThrownBy(() -> body("ann", 1))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("take all the memory there is for them");
        body("bob", 200);
        assertThatThrownBy(() -> body("cleo", 1)).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> body(null, 1)).isInstanceOf(RefusedException.class);
        first.close();
        first.close();
        assertThatThrownBy(() -> body("cleo", 101)).isInstanceOf(RefusedException.class);
        assertThatCode(() -> body("cleo", 100)).doesNotThrowAnyException();
    }

    @Test
    void a_body_that_is_larger_than_all_the_room_comes_alone() {
        MemoryShares.Share large = body("ann", 10_000);
        assertThatThrownBy(() -> body("bob", 1)).isInstanceOf(RefusedException.class);
        large.close();
        assertThatCode(() -> body("bob", 1)).doesNotThrowAnyException();
    }

    @Test
    void a_call_waits_for_room_and_gets_it_as_soon_as_another_ends() {
        MemoryShares patient = new MemoryShares(1_200, Duration.ofMinutes(1));
        MemoryShares.Share first = patient.share("ann");
        first.takeBody(200);
        CompletableFuture<Void> second =
                CompletableFuture.runAsync(() -> patient.share("ann").takeBody(200));
        first.close();
        assertThat(second).succeedsWithin(Duration.ofMinutes(1));
    }

    @Test
    void a_call_that_is_over_takes_nothing_any_more() {
        MemoryShares.Share over = memory.share("ann");
        over.close();
        assertThatThrownBy(() -> over.takeBody(1)).isInstanceOf(RefusedException.class);
        assertThatCode(() -> body("ann", 200)).doesNotThrowAnyException();
    }

    @Test
    void one_caller_reads_so_many_answers_at_a_time_and_programs_of_this_machine_any_number() {
        List<MemoryShares.Share> reading = new ArrayList<>();
        for (int i = 0; i < MemoryShares.ANSWERS; i++) {
            MemoryShares.Share share = memory.share("ann");
            share.takeAnswer();
            share.takeAnswer();
            reading.add(share);
        }
        assertThatThrownBy(() -> memory.share("ann").takeAnswer())
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("is still reading 8 long answers");
        assertThatCode(() -> memory.share("bob").takeAnswer()).doesNotThrowAnyException();
        for (int i = 0; i < 100; i++) {
            memory.share(null).takeAnswer();
        }
        reading.getFirst().close();
        assertThatCode(() -> memory.share("ann").takeAnswer()).doesNotThrowAnyException();
    }
}
