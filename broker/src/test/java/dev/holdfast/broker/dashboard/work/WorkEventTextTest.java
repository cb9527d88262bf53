package dev.holdfast.broker.dashboard.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.event.Event;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorkEventTextTest {
    private static WorkEventText happening(String type, @Nullable String actor, @Nullable String detail) {
        return WorkEventText.of(new Event(1, Instant.EPOCH, type, "work:hf-a", actor, 1L, detail, 0));
    }

    @Test
    void what_happened_to_an_item_reads_as_somebody_would_tell_it() {
        assertThat(happening("work_created", "ann", "{\"title\":\"x\",\"type\":\"task\"}"))
                .isEqualTo(new WorkEventText("created it", ""));
        assertThat(happening("failed", "bob", "{\"attempts\":1,\"note\":\"no luck\"}"))
                .isEqualTo(new WorkEventText("tried and failed", "no luck"));
        assertThat(happening("parked", null, "{\"attempts\":3,\"displaced\":\"bob\",\"reason\":\"expired\"}"))
                .isEqualTo(new WorkEventText("it was parked after failing 3 times in a row", "expired"));
        assertThat(happening("reclaimed", null, "{\"attempts\":1,\"displaced\":\"bob\",\"reason\":\"expired\"}"))
                .isEqualTo(new WorkEventText("it was reclaimed from bob, whose lease had expired", ""));
        assertThat(happening("reclaimed", "mira", "{\"displaced\":\"bob\",\"reason\":\"its machine is off\"}"))
                .isEqualTo(new WorkEventText("took it back from bob", "its machine is off"));
        assertThat(happening("work_updated", "ann", "{\"changed\":[\"title\",\"status\"],\"status\":\"blocked\"}"))
                .isEqualTo(new WorkEventText("changed the title and parked it", ""));
        assertThat(happening("dependency_added", "ann", "{\"depends_on\":\"hf-b\",\"dependency_type\":\"related\"}"))
                .isEqualTo(new WorkEventText("linked it to hf-b", ""));
        assertThat(happening("work_closed", "ann", "{\"reason\":\"merged\"}"))
                .isEqualTo(new WorkEventText("closed it", "merged"));
    }

    @Test
    void what_nobody_has_words_for_is_told_with_its_details() {
        assertThat(happening("work_moved", "ann", "{\"to\":\"shop\",\"tags\":[]}"))
                .isEqualTo(new WorkEventText("work moved", "to: shop"));
        assertThat(happening("claimed", "ann", "not json")).isEqualTo(new WorkEventText("claimed it", ""));
    }
}
