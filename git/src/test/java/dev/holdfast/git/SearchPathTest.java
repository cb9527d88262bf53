package dev.holdfast.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchPathTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @SuppressWarnings("NullAway.Init")
    private Path program;

    @BeforeEach
    void a_program() throws IOException {
        program = Files.writeString(folder.resolve("tool"), "#!/bin/sh\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void the_first_folder_that_has_the_program_counts() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.createDirectory(other.resolve("tool"));
        assertThat(new SearchPath("/nowhere:" + other + ":" + folder).find("tool"))
                .contains(program);
        assertThat(new SearchPath(folder.toString()).find("missing", "tool")).contains(program);
        Files.writeString(folder.resolve("text"), "");
        assertThat(new SearchPath(folder.toString()).find("text")).isEmpty();
    }

    @Test
    void folders_that_depend_on_where_one_is_do_not_count() {
        Path here = Path.of("").toAbsolutePath();
        String relative = here.relativize(folder.toAbsolutePath()).toString();
        assertThat(Files.isExecutable(Path.of(relative, "tool"))).isTrue();
        for (String hostile : new String[] {".", "", "..", relative, "./" + relative, "~", "\0"}) {
            assertThat(new SearchPath(hostile).find("tool")).as(hostile).isEmpty();
            assertThat(new SearchPath(hostile + ":" + folder).find("tool")).contains(program);
        }
        assertThat(new SearchPath(".::bin:/usr/bin:x/y:" + folder).withoutRelative())
                .contains("/usr/bin:" + folder);
        assertThat(new SearchPath(".:").withoutRelative())
                .as("an empty PATH would mean the current folder")
                .isEmpty();
    }

    @Test
    void a_program_is_named_by_its_path_or_found_or_missed() throws IOException {
        assertThat(new SearchPath("").program("/opt/x")).isEqualTo("/opt/x");
        assertThat(SearchPath.of(Map.of("Path", folder.toString())).program("tool"))
                .isEqualTo(program.toString());
        assertThatThrownBy(() -> new SearchPath(".").program("tool")).hasMessage("tool was not found on the PATH");
    }
}
