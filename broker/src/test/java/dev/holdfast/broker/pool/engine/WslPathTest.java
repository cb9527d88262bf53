package dev.holdfast.broker.pool.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.git.SearchPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a wsl.exe that behaves as documented: it starts inside what follows --exec; here, a wslpath that the test has written. */
class WslPathTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @BeforeEach
    void install() throws IOException {
        program("wsl.exe", """
                [ "$1 $2 $3" = "-d Ubuntu --exec" ] || { echo "There is no distribution with the supplied name."; exit 255; }
                shift 3
                tool=$1
                shift
                exec "${0%/*}/inside-$tool" "$@"
                """);
        // as with [automount] root = /windows in the distribution's /etc/wsl.conf
        program("inside-wslpath", """
                echo "$*" >>"${0%/*}/asked"
                [ "$1 $2" = "-a -u" ] || exit 1
                case $3 in
                C:/*) echo "/windows/c${3#C:}" ;;
                *) echo "wslpath: $3: Invalid argument" >&2; exit 1 ;;
                esac
                """);
    }

    private void program(String name, String script) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private Wsl wsl(String distro) {
        return new Wsl(distro, null, null, new WslPath(new SearchPath(folder.toString())));
    }

    @Test
    void the_distribution_itself_tells_what_it_calls_a_folder() {
        assertThat(wsl("Ubuntu").path(Path.of("C:\\Users\\me\\my $(work); x")))
                .isEqualTo("/windows/c/Users/me/my $(work); x");
        Launch launch =
                new Codex("codex", Map.of(), Set.of(), wsl("Ubuntu")).launch(LaunchSpecs.in(Path.of("C:\\shop")));
        assertThat(launch.argv()).containsSubsequence("-C", "/windows/c/shop");
    }

    @Test
    void what_the_config_says_is_not_asked_for() {
        Wsl wsl =
                new Wsl("Ubuntu", Path.of("C:\\work"), "/home/me/work", new WslPath(new SearchPath(folder.toString())));
        assertThat(wsl.path(Path.of("C:\\work\\shop"))).isEqualTo("/home/me/work/shop");
        assertThat(folder.resolve("asked")).doesNotExist();
    }

    @Test
    void a_folder_that_it_does_not_know_is_an_error_that_names_the_setting() {
        assertThatThrownBy(() -> wsl("Ubuntu").path(Path.of("\\\\server\\share")))
                .isInstanceOf(UnusableLaunchException.class)
                .hasMessageContaining("\\\\server\\share: wslpath in the distribution Ubuntu")
                .hasMessageContaining("Invalid argument")
                .hasMessageContaining("set reviewer_pool.workspace_wsl_path");
        assertThatThrownBy(() -> wsl("Debian").path(Path.of("C:\\shop")))
                .hasMessageContaining("There is no distribution with the supplied name")
                .hasMessageContaining("workspace_wsl_path");
    }

    @Test
    void an_answer_that_is_no_path_is_an_error_too() throws IOException {
        program("inside-wslpath", "echo C:/shop");
        assertThatThrownBy(() -> wsl("Ubuntu").path(Path.of("C:\\shop"))).hasMessageContaining("(C:/shop)");
        program("inside-wslpath", "exit 0");
        assertThatThrownBy(() -> wsl("Ubuntu").path(Path.of("C:\\shop"))).hasMessageContaining("(no output)");
        program("inside-wslpath", "printf '/a\\n/b\\n'");
        assertThatThrownBy(() -> wsl("Ubuntu").path(Path.of("C:\\shop"))).hasMessageContaining("workspace_wsl_path");
        Files.delete(folder.resolve("wsl.exe"));
        assertThatThrownBy(() -> wsl("Ubuntu").path(Path.of("C:\\shop")))
                .hasMessageContaining("wsl was not found on the PATH")
                .hasMessageContaining("workspace_wsl_path");
    }
}
