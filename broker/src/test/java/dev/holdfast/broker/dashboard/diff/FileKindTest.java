package dev.holdfast.broker.dashboard.diff;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileKindTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            new file mode 100644                         | ''
            new file mode 100755                         | executable
            new file mode 120000                         | symbolic link
            new file mode 000120000                      | symbolic link
            new file mode 160000                         | submodule
            deleted file mode 120000                     | symbolic link
            index 1111111..2222222 100644                | ''
            index 1111111..2222222 120000                | symbolic link
            index 1111111..2222222 160000                | submodule
            index 1111111..2222222 100755                | executable
            old mode 100644;new mode 100755              | plain file → executable
            old mode 100755;new mode 100644              | executable → plain file
            old mode 100644;new mode 120000              | plain file → symbolic link
            new mode 100755                              | now executable
            old mode 100644;new mode 040000              | plain file → mode 040000
            index 1111111..2222222                       | ''
            """)
    void the_mode_says_what_a_file_is_and_becomes(String header, String kind) {
        boolean made = header.startsWith("new file");
        boolean gone = header.startsWith("deleted");
        String diff = "diff --git a/x b/x\n" + header.replace(';', '\n') + "\n"
                + (made ? "--- /dev/null\n" : "--- a/x\n")
                + (gone ? "+++ /dev/null\n" : "+++ b/x\n")
                + (made ? "@@ -0,0 +1 @@\n+target\n" : gone ? "@@ -1 +0,0 @@\n-target\n" : "@@ -1 +1 @@\n-a\n+b\n");

        ChangeView change = ChangeView.of(diff, false);

        assertThat(change.problem()).isEmpty();
        assertThat(change.files().getFirst().kind()).isEqualTo(kind);
    }
}
