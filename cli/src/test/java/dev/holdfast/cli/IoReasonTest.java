package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.cli.broker.IoReason;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IoReasonTest {
    @TempDir
    private Path folder;

    @Test
    void a_file_that_cannot_be_read_is_told_in_words_not_by_its_name_twice() throws Exception {
        Path text = Files.write(folder.resolve("text"), new byte[] {(byte) 0xff});

        assertThat(reading(folder.resolve("nofile"))).isEqualTo("no such file");
        assertThat(reading(folder)).isEqualTo("Is a directory");
        assertThat(reading(text)).isEqualTo("not UTF-8 text");
        assertThat(IoReason.of(new AccessDeniedException("x"))).isEqualTo("permission denied");
    }

    @Test
    void commands_say_what_is_wrong_with_the_file_that_they_were_given() {
        Path missing = folder.resolve("nofile");

        assertThat(Ran.command(Map.of(), "import", "beads", missing.toString()).err())
                .isEqualTo("holdfast: cannot read " + missing + ": no such file\n");
        assertThat(Ran.command(Map.of(), "task", "create", "-f", missing.toString())
                        .err())
                .isEqualTo("holdfast: cannot read " + missing + ": no such file\n");
        assertThat(Ran.command(Map.of(), "gate", "--project", "shop", "--diff", missing.toString())
                        .err())
                .isEqualTo("holdfast: cannot read --diff " + missing + ": no such file\n");
    }

    private static String reading(Path file) {
        return IoReason.of(catchThrowableOfType(IOException.class, () -> Files.readString(file)));
    }
}
