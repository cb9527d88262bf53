package dev.holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.InvalidException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkLimitsTest {
    @Test
    void an_id_is_one_word_without_a_colon() {
        assertThat(WorkLimits.id("!hf-3k9x")).isEqualTo("!hf-3k9x");
        for (String wrong : new String[] {"", "a b", "a:b", "a\u2003b", "a\tb"}) {
            assertThatThrownBy(() -> WorkLimits.id(wrong)).as(wrong).isInstanceOf(InvalidException.class);
            assertThat(WorkLimits.couldBe(wrong)).as(wrong).isFalse();
        }
        assertThat(WorkLimits.couldBe("hf-3k9x")).isTrue();
    }

    @Test
    void an_item_has_up_to_fifty_labels_each_on_one_line() {
        assertThat(WorkLimits.labels(labels(50))).hasSize(50);
        assertThatThrownBy(() -> WorkLimits.labels(labels(51))).hasMessage("an item has at most 50 labels");
        assertThatThrownBy(() -> WorkLimits.labels(Set.of("\nurgent")))
                .hasMessage("label ' urgent' must be on one line");
    }

    private static Set<String> labels(int count) {
        return IntStream.range(0, count).mapToObj(i -> "label-" + i).collect(Collectors.toSet());
    }

    @Test
    void a_priority_is_0_to_4() {
        assertThat(WorkLimits.priority(0)).isZero();
        assertThat(WorkLimits.priority(4)).isEqualTo(4);
        assertThatThrownBy(() -> WorkLimits.priority(-1)).hasMessageContaining("0 (first) to 4 (last), not -1");
        assertThatThrownBy(() -> WorkLimits.priority(5)).hasMessageContaining("0 (first) to 4 (last), not 5");
    }
}
