package dev.holdfast.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DebugCodeTest {
    private final Rule rule = new DebugCode();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "src/app.js      | console.log(order)",
                "src/app.ts      | debugger;",
                "src/app.test.ts | it.only('works', () => {})",
                "app/models.py   | breakpoint()",
                "app/models.py   | import pdb; pdb.set_trace()",
                "app/models.py   | print('DEBUG', x)",
                "src/Orders.java | System.out.println(order);",
                "src/Orders.java | e.printStackTrace();",
                "src/lib.rs      | dbg!(x);",
                "app/a.rb        | binding.pry",
                "src/a.php       | var_dump($x);",
                "src/Orders.java | int x = 1; // do not commit"
            })
    void what_was_left_from_debugging_is_found(String path, String line) {
        assertThat(new SampleDiff()
                        .changed(path, " before", "+" + line, " after")
                        .places(rule))
                .containsExactly(path + ":11");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "src/app.js         | // console.log(order)",
                "src/app.js         | logger.log(order)",
                "src/app.js         | const debuggerUrl = settings.debugger",
                "cli/src/Print.java | System.out.println(table);",
                "src/MainWindow.java| System.out.println(table);",
                "scripts/build.mjs  | console.log('built')",
                "test/app.test.js   | console.log('slow')",
                "app/report.py      | print(total)",
                "docs/debug.md      | console.log(x)",
                "src/Orders.java    | // Thread.dumpStack() would help here"
            })
    void what_is_meant_is_not(String path, String line) {
        assertThat(new SampleDiff()
                        .changed(path, " before", "+" + line, " after")
                        .places(rule))
                .isEmpty();
    }

    @Test
    void a_file_that_prints_anyway_may_print_more() {
        assertThat(new SampleDiff()
                        .changed("src/Report.java", " System.out.println(head);", "+System.out.println(foot);")
                        .places(rule))
                .isEmpty();
    }

    @Test
    void what_was_there_before_is_not_found() {
        assertThat(new SampleDiff()
                        .changed("src/app.py", " breakpoint()", "-breakpoint()", "+x = 1")
                        .places(rule))
                .isEmpty();
    }
}
