package dev.holdfast.broker.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretSettingsTest {
    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void prepare() throws IOException {
        file = Files.createFile(folder.resolve("config.json"));
        allow(folder, "rwxr-xr-x");
        allow(file, "rw-r--r--");
    }

    private static void allow(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private Optional<String> warning(Setting setting, String value) {
        return SecretSettings.exposed(file, new Settings().put(setting, value));
    }

    @Test
    void a_password_that_every_user_can_read_is_told_with_what_to_do() {
        assertThat(warning(Setting.DATABASE, "postgres://ann:swordfish@db/x"))
                .hasValueSatisfying(warning -> assertThat(warning)
                        .contains(file.toString(), "store.database", "chmod 600")
                        .doesNotContain("swordfish"));
        assertThat(warning(Setting.DATABASE, "jdbc:postgresql://db/x?user=ann&password=swordfish"))
                .isPresent();
        assertThat(warning(Setting.WEBHOOK_SECRET, "swordfish")).isPresent();
    }

    @Test
    void nothing_is_told_of_a_file_without_secrets_or_that_others_do_not_reach() throws IOException {
        assertThat(warning(Setting.DATABASE, "postgres://ann@db:5432/x")).isEmpty();
        assertThat(warning(Setting.HOST, "localhost")).isEmpty();
        allow(file, "rw-r-----");
        assertThat(warning(Setting.WEBHOOK_SECRET, "swordfish")).isEmpty();
        allow(file, "rw-r--r--");
        allow(folder, "rwx------");
        assertThat(warning(Setting.WEBHOOK_SECRET, "swordfish")).isEmpty();
    }
}
