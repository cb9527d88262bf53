package dev.holdfast.broker.dashboard.events;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class SentenceTest {
    private static String of(String type, String json) {
        return Sentence.of(type, json, JsonMapper.shared().readTree(json), 300);
    }

    @Test
    void common_events_read_as_people_would_say_them() {
        assertThat(of("verdict_submitted", """
                {"metadata": {"verdict": "changes_requested", "reason": "It throws.", "findings": [{"id": "f1"}], "read_all": true}}""")).isEqualTo("changes requested, 1 finding, It throws.");
        assertThat(of("review_created", "{\"metadata\": {\"intent\": \"Add a cache\", \"category\": \"docs\"}}"))
                .isEqualTo("Add a cache");
        assertThat(of("reclaimed", "{\"displaced\": \"ann\", \"reason\": \"expired\", \"attempts\": 1}"))
                .isEqualTo("from ann: expired");
        assertThat(of("step_failed_attempt", "{\"attempts\": 1, \"error\": \"gone\"}"))
                .isEqualTo("attempt 1: gone");
        assertThat(of("claimed", "{}")).isEmpty();
    }

    @Test
    void others_and_those_without_these_show_their_details() {
        assertThat(of("step_heard", "{\"by\": \"ann\"}")).isEqualTo("by: ann");
        assertThat(of("work_closed", "{\"how\": \"merged\"}")).isEqualTo("how: merged");
        assertThat(Sentence.of("claimed", "no JSON", null, 300)).isEqualTo("no JSON");
        assertThat(Sentence.of("claimed", null, null, 300)).isEmpty();
    }
}
