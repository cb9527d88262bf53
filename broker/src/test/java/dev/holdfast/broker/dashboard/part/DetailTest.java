package dev.holdfast.broker.dashboard.part;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DetailTest {
    @Test
    void what_an_event_tells_is_words_however_deep_it_is_stored() {
        assertThat(Detail.of("{\"changed\":[\"status\",\"title\"],\"status\":\"blocked\"}", 100))
                .isEqualTo("changed: status and title, status: blocked");
        assertThat(Detail.of("{\"metadata\":{\"old_reviewer\":\"ann\",\"round\":2},\"reason\":null}", 100))
                .isEqualTo("old reviewer: ann, round: 2");
    }

    @Test
    void what_says_nothing_is_left_out() {
        assertThat(Detail.of("{\"projects\":[],\"imported\":true,\"forced\":false,\"note\":\"no luck\"}", 100))
                .isEqualTo("imported, note: no luck");
    }

    @Test
    void what_is_not_json_is_shown_as_it_is() {
        assertThat(Detail.of("gone home", 100)).isEqualTo("gone home");
        assertThat(Detail.of(null, 100)).isEmpty();
    }
}
