package dev.holdfast.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeavyReportTest {
    @TempDir
    Path folder;

    @Test
    void what_ran_is_noted_and_what_did_not_stays() throws Exception {
        Path page = Files.writeString(folder.resolve("heavy.md"), """
                # Heavy
                <!-- heavy: generated -->

                | test | result | seconds | when |
                | --- | --- | --- | --- |
                | `ATest#runs` | passed | 5 | long ago |
                | `BTest#waits` | passed | 7 | long ago |
                | `CTest#both` | not run | | |
                | `CTest#neither` | not run | | |

                <!-- end of heavy -->
                The end.
                """);
        Path report = Files.writeString(folder.resolve("TEST-a.xml"), """
                <testsuite>
                  <testcase classname="dev.holdfast.ATest" name="runs" time="1,061.25"><system-out/></testcase>
                  <testcase classname="dev.holdfast.CTest" name="both(Engine)[1]" time="2"/>
                  <testcase classname="dev.holdfast.CTest" name="it fails" time="0.5"><failure>no</failure></testcase>
                  <testcase classname="dev.holdfast.BTest" name="waits" time="0"><skipped/></testcase>
                  <testcase classname="dev.holdfast.CTest" name="skips" time="0"><skipped/></testcase>
                </testsuite>
                """);

        HeavyReport.main(new String[] {page.toString(), "today", report.toString()});

        assertThat(Files.readString(page)).isEqualTo("""
                # Heavy
                <!-- heavy: generated -->

                | test | result | seconds | when |
                | --- | --- | --- | --- |
                | `ATest#runs` | passed | 1061 | today |
                | `BTest#waits` | passed | 7 | long ago |
                | `CTest#both(Engine)[1]` | passed | 2 | today |
                | `CTest#it_fails` | **failed** | 0 | today |
                | `CTest#neither` | not run | | |
                | `CTest#skips` | skipped | 0 | today |

                <!-- end of heavy -->
                The end.
                """);
    }
}
