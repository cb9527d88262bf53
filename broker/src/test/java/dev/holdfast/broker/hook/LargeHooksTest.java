package dev.holdfast.broker.hook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LargeHooksTest {
    private static final int LIMIT = 4_096;

    @TempDir
    private Path folder;

    /** The host has announced a gigabyte and never sends most of it. */
    @Test
    void of_a_large_hook_only_as_much_is_read_as_the_limit_allows() throws IOException {
        try (Broker broker = Broker.start(Config.in(folder, new Settings().put(Setting.BODY_LIMIT, (long) LIMIT)));
                Socket socket = new Socket("127.0.0.1", port(broker))) {
            socket.setSoTimeout(Math.toIntExact(Duration.ofSeconds(20).toMillis()));
            OutputStream out = socket.getOutputStream();
            String beginning = """
                    POST /hooks/claude HTTP/1.1\r
                    Host: 127.0.0.1:%d\r
                    Content-Type: application/json\r
                    Content-Length: 1000000000\r
                    \r
                    {"session_id": "large", "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_response": \"""";
            out.write(beginning.formatted(port(broker)).getBytes(UTF_8));
            out.write("x".repeat(2 * LIMIT).getBytes(UTF_8));
            out.flush();
            byte[] answer = socket.getInputStream().readNBytes(12);
            assertThat(new String(answer, UTF_8)).isEqualTo("HTTP/1.1 200");
            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
                    .as("the session is known from the beginning")
                    .contains("your agent id is claude-");
        }
    }

    private static int port(Broker broker) {
        return URI.create(broker.url()).getPort();
    }
}
