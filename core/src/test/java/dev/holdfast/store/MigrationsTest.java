package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A start runs no migration where the store has the newest schema: which that is must be right. */
class MigrationsTest {
    @ParameterizedTest
    @EnumSource
    void the_newest_schema_is_that_of_the_last_migration(Engine engine) throws IOException {
        Path folder =
                Path.of("src/main/resources/dev/holdfast/store", engine.name().toLowerCase(Locale.ROOT));
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> name.startsWith("V"))
                            .mapToInt(name -> Integer.parseInt(name.substring(1, name.indexOf("__"))))
                            .max())
                    .hasValue(engine.newestSchema);
        }
    }
}
