package dev.holdfast.broker.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.crash.BrokerProcess.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteCrashTest extends CrashContract {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Override
    BrokerProcess start() throws IOException {
        return BrokerProcess.Start.onSqlite(folder).now();
    }

    @Test
    void a_second_broker_on_the_folder_is_refused_and_the_first_goes_on() throws Exception {
        try (BrokerProcess broker = start()) {
            assertThat(org.assertj.core.api.Assertions.catchThrowable(this::start))
                    .isInstanceOf(IOException.class);
            Answer answer = broker.call("claim", Map.of("resource", "key:a", "holder", "agent"));
            assertThat(answer.status()).isEqualTo(200);
        }
    }
}
