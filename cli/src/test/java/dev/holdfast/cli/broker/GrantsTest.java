package dev.holdfast.cli.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrantsTest {
    private static final String BROKER = "http://127.0.0.1:8321";

    @TempDir
    private Path state;

    @Test
    void a_generation_is_known_until_its_claim_ends() {
        claimed("key:a", 3);
        claimed("key:b", 4);
        assertThat(known("key:a")).isEqualTo(3);
        released("key:a");
        assertThat(known("key:a")).isNull();
        assertThat(known("key:b")).isEqualTo(4);
        claimed("key:a", 5);
        assertThat(known("key:a")).isEqualTo(5);
    }

    @Test
    void a_generation_is_that_of_its_broker_and_holder() {
        claimed("key:a", 3);
        assertThat(grants().generation("bob", "key:a")).isNull();
        assertThat(new Grants(state, "http://127.0.0.1:8322").generation("ann", "key:a"))
                .isNull();
    }

    @Test
    void commands_that_run_at_the_same_time_lose_nothing_of_one_another() throws Exception {
        List<Callable<Void>> commands = IntStream.range(0, 200)
                .<Callable<Void>>mapToObj(i -> () -> {
                    claimed("key:" + i, i + 1);
                    return null;
                })
                .toList();
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (Future<Void> done : threads.invokeAll(commands)) {
                done.get();
            }
        }
        assertThat(IntStream.range(0, 200))
                .allSatisfy(i -> assertThat(known("key:" + i)).isEqualTo(i + 1));
    }

    @Test
    void a_file_does_not_grow_with_what_has_ended() throws IOException {
        claimed("key:kept", 7);
        for (int i = 1; i < 1_000; i++) {
            claimed("key:deploy", i);
            released("key:deploy");
        }
        assertThat(Files.readAllLines(file())).hasSizeLessThan(300);
        assertThat(known("key:kept")).isEqualTo(7);
        assertThat(known("key:deploy")).isNull();
    }

    @Test
    void a_damaged_line_hides_no_other() throws IOException {
        claimed("key:a", 3);
        Files.write(file(), "3x key:b\n\n\u00e4 \n4 key:c\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(known("key:b")).isNull();
        assertThat(known("key:c")).isEqualTo(4);
        claimed("key:b", 5);
        assertThat(known("key:b")).isEqualTo(5);
    }

    private Path file() throws IOException {
        try (var files = Files.list(state.resolve("grants"))) {
            return files.toList().getFirst();
        }
    }

    private @Nullable Long known(String resource) {
        return grants().generation("ann", resource);
    }

    private void claimed(String resource, long generation) {
        grants().heard(
                        "claim",
                        Map.of("resource", resource, "holder", "ann"),
                        true,
                        new JsonObject(Map.of("resource", resource, "holder", "ann", "claim_generation", generation)));
    }

    private void released(String resource) {
        grants().heard("release", Map.of("resource", resource, "holder", "ann"), true, new JsonObject(Map.of()));
    }

    /** As every command makes it. */
    private Grants grants() {
        return new Grants(state, BROKER);
    }
}
