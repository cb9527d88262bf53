package dev.holdfast.broker.dashboard.part;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReviewTitleTest {
    @Test
    void a_review_without_a_title_is_called_by_its_short_id() {
        assertThat(ReviewTitle.of("c8bd0f06-77aa-4a51-9e0c-1b2f3d4e5f60", "Count items"))
                .isEqualTo("Count items");
        assertThat(ReviewTitle.of("c8bd0f06-77aa-4a51-9e0c-1b2f3d4e5f60", " ")).isEqualTo("review c8bd0f06");
        assertThat(ReviewTitle.of("7", "")).isEqualTo("review 7");
    }
}
