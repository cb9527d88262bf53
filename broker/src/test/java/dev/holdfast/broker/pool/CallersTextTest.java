package dev.holdfast.broker.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.testing.TestSqlite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers write about a review, on its way to the program that reviews it. */
class CallersTextTest extends OnAPool {
    @Override
    Settings store() {
        return new Settings().put(Setting.DATA, TestSqlite.in(folder).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--output=/tmp/x", "-o", " --output=/tmp/x", "@/etc/passwd", "o\n--output=/tmp/x", "/--output=x"
            })
    void a_project_named_like_an_option_reaches_the_program_as_a_plain_word(String project) throws Exception {
        Path received = folder.resolve("told");
        scope = PoolConfig.Scope.PROJECT;
        start(List.of(
                "sh",
                "-c",
                "printf '%s\\0%s\\0' \"$1\" \"$HOLDFAST_PROJECT\" >\"$0.part\"; cat >>\"$0.part\"; mv \"$0.part\" \"$0\"",
                received.toString(),
                "{project}"));
        create(project);
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(received));
        String[] words = Files.readString(received).split("\0", -1);

        assertThat(words[0]).as("the argument").matches("[a-z0-9]+");
        assertThat(words[1]).as("the variable").isEqualTo(words[0]);
        assertThat(words[2])
                .as("the prompt")
                .contains("\"" + words[0] + "\"")
                .doesNotContain("--output", "/etc/passwd");
    }
}
