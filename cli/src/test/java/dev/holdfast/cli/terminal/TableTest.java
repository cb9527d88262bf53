package dev.holdfast.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    private static final Table TABLE = new Table(
            List.of("RESOURCE", "AGE"),
            List.of(List.of("path:src/日本語", "1m"), List.of("key:e\u0301te\u0301", "2m"), List.of("key:🚀", "3m")));

    @Test
    void columns_line_up_whatever_the_script() {
        assertThat(TABLE.lines("  ", 0))
                .containsExactly(
                        "  RESOURCE         AGE",
                        "  path:src/日本語  1m",
                        "  key:e\u0301te\u0301          2m",
                        "  key:🚀           3m");
    }

    @Test
    void a_terminal_that_is_too_narrow_gets_one_value_per_line_and_all_of_them() {
        assertThat(TABLE.lines("", 12))
                .containsExactly("path:src/日本語", "  AGE 1m", "key:e\u0301te\u0301", "  AGE 2m", "key:🚀", "  AGE 3m");
    }

    @Test
    void a_terminal_of_just_the_right_width_gets_the_table() {
        int width = TABLE.lines("", 0).stream().mapToInt(Printable::width).max().orElseThrow();

        assertThat(TABLE.lines("", width)).isEqualTo(TABLE.lines("", 0));
        assertThat(TABLE.lines("", width - 1)).isNotEqualTo(TABLE.lines("", 0));
    }

    @Test
    void long_values_are_never_cut_off() {
        String longId = "key:" + "x".repeat(500);

        assertThat(new Table(List.of("RESOURCE"), List.of(List.of(longId))).lines("", 0))
                .contains(longId);
    }

    @Test
    void control_characters_of_others_do_not_reach_the_terminal() {
        assertThat(Printable.of("key:\u001b[31mred\nnext\u202e")).isEqualTo("key:\\u001b[31mred\\u000anext\\u202e");
        assertThat(Printable.of("plain 🚀 日本")).isEqualTo("plain 🚀 日本");
    }
}
