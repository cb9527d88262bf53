package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackgroundLogTest {
    @TempDir
    Path state;

    @Test
    void a_log_that_is_too_long_begins_anew_and_the_last_of_it_is_kept_for_its_user() throws IOException {
        BackgroundLog log = new BackgroundLog(state.resolve("serve.log"), 100);
        log.trim(); // there is none
        Files.createFile(
                log.file(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (OutputStream broker = Files.newOutputStream(log.file(), StandardOpenOption.APPEND)) {
            for (int i = 0; i < 50; i++) {
                broker.write("line %d of a broker that goes on writing\n"
                        .formatted(i)
                        .getBytes(StandardCharsets.UTF_8));
                log.trim();
                assertThat(Files.size(log.file())).isLessThanOrEqualTo(100);
            }
        }
        assertThat(Files.readString(log.old()) + Files.readString(log.file()))
                .contains("line 47 ", "line 48 ", "line 49 ");
        assertThat(Files.size(log.old())).isLessThan(200);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log.old())))
                .isEqualTo("rw-------");
    }

    @Test
    void it_is_the_file_that_brokers_in_the_background_write() {
        assertThat(BackgroundLog.in(state).file()).isEqualTo(state.resolve("serve.log"));
    }
}
