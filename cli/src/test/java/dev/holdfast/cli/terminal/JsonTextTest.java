package dev.holdfast.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class JsonTextTest {
    @Test
    void a_time_is_told_by_the_readers_clock_to_the_second() throws Exception {
        assertThat(JsonText.time(at(LocalDateTime.of(2026, 3, 4, 14, 39, 4, 752_285_000)), "at"))
                .isEqualTo("2026-03-04 14:39:04");
        assertThat(JsonText.time(at(LocalDateTime.of(2026, 3, 4, 0, 0)), "at")).isEqualTo("2026-03-04 00:00:00");
    }

    @Test
    void what_is_no_time_is_shown_as_it_is() throws Exception {
        assertThat(JsonText.time(JsonObject.of(Json.read("{\"at\":\"soon\"}")), "at"))
                .isEqualTo("soon");
        assertThat(JsonText.time(JsonObject.of(Json.read("{}")), "at")).isEqualTo("?");
    }

    private static JsonObject at(LocalDateTime local) throws Exception {
        String instant = local.atZone(ZoneId.systemDefault()).toInstant().toString();
        return JsonObject.of(Json.read("{\"at\":\"" + instant + "\"}"));
    }
}
