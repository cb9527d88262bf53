package dev.holdfast.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.holdfast.claim.Text;
import dev.holdfast.terminal.Columns;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
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
    void rows_stay_rows_on_a_terminal_that_is_too_narrow() {
        assertThat(TABLE.lines("", 12))
                .containsExactly("RESOUR…  AGE", "path:s…  1m", "key:e\u0301te\u0301  2m", "key:🚀   3m");
    }

    @Test
    void long_values_are_shortened_then_columns_go_and_the_id_stays_whole() {
        Table table = new Table(
                List.of("ID", "P", "STATUS", "TITLE", "HOLDER"),
                List.of(List.of("hf-3k9x", "2", "in_progress", "読む ".repeat(30), "claude-3fa91c-" + "x".repeat(20))),
                List.of("P", "HOLDER"));
        for (int width : new int[] {60, 80, 110}) {
            assertThat(table.lines("", width))
                    .hasSize(2)
                    .allSatisfy(line -> assertThat(Columns.of(line)).isLessThanOrEqualTo(width))
                    .last()
                    .asString()
                    .contains("hf-3k9x", "in_progress", "読む", "…");
        }
        assertThat(table.lines("", 60).getFirst()).contains("TITLE").doesNotContain("HOLDER  P");
        assertThat(table.lines("", 45).getFirst()).contains("STATUS", "TITLE").doesNotContain("HOLDER");
        assertThat(table.lines("", 0).getLast()).contains("読む ".repeat(29));
    }

    @Test
    void one_long_value_takes_no_room_from_the_column_that_needs_it_in_every_row() {
        String title = "Vertraglich zugesicherte Rückgaben prüfen 読む e\u0301te\u0301";
        List<List<String>> rows = new ArrayList<>(Collections.nCopies(8, List.of("hf-3k9x", "open", title, "-")));
        rows.add(List.of("hf-77aa", "blocked", title, "waits for the answer of legal, which Zoë expects on Thursday"));
        Table table = new Table(List.of("ID", "STATUS", "TITLE", "WAITS FOR"), rows, List.of("WAITS FOR"));

        for (int width : new int[] {100, 110, 120}) {
            List<String> lines = table.lines("", width);
            assertThat(lines).allSatisfy(line -> assertThat(Columns.of(line)).isLessThanOrEqualTo(width));
            assertThat(lines.subList(1, 10)).as("at %d", width).allMatch(line -> line.contains(title));
            assertThat(lines.getLast()).contains("waits for the").endsWith("…");
        }
        assertThat(table.lines("", 80).getFirst()).contains("WAITS FOR");
        assertThat(table.lines("", 60).get(1)).contains("hf-3k9x", "open", "Vertraglich zugesich");
    }

    @Test
    void a_terminal_of_just_the_right_width_gets_the_table() {
        int width = TABLE.lines("", 0).stream().mapToInt(Columns::of).max().orElseThrow();

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
    void sentences_are_wrapped_at_spaces_and_nothing_of_them_is_lost() {
        String text = "  Step build is claimed by codex-77b2e0 since 日本 e\u0301te\u0301 until noon";
        for (int width : new int[] {20, 35, 60, 80}) {
            List<String> lines = Printable.wrapped(text, width, "    ");
            assertThat(lines).allSatisfy(line -> assertThat(Columns.of(line)).isLessThanOrEqualTo(width));
            assertThat(String.join(" ", lines).replaceAll(" +", " ")).isEqualTo(text.replaceAll(" +", " "));
        }
        assertThat(Printable.wrapped("one x" + "y".repeat(30), 20, ""))
                .containsExactly("one", "x" + "y".repeat(18) + "…");
    }

    @Test
    void control_characters_of_others_do_not_reach_the_terminal() {
        assertThat(Printable.of("key:\u001b[31mred\nnext\u202e")).isEqualTo("key:\\u001b[31mred\\u000anext\\u202e");
        assertThat(Printable.of("plain 🚀 日本 ❤\ufe0f")).isEqualTo("plain 🚀 日本 ❤\ufe0f");
    }

    @Test
    void what_is_there_without_being_seen_is_shown_in_a_line_of_a_diff_and_in_its_heading() {
        assertThat(Printable.line("@@ -1 +1 @@ if\u200b(\u202eadmin)"))
                .isEqualTo("@@ -1 +1 @@ if\\u200b(\\u202eadmin)");
        assertThat(Printable.line("+\tx\u2060y\ufeff\u00ad\u3164\ue000\udb40\udc41"))
                .isEqualTo("+\tx\\u2060y\\ufeff\\u00ad\\u3164\ue000\\udb40\\udc41");
    }

    @Test
    void a_terminal_and_the_broker_agree_on_what_is_hidden() {
        IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .mapToObj(Character::toString)
                .filter(one -> !Printable.of(one).equals(Text.printable(one)))
                .findFirst()
                .ifPresent(one -> fail("they differ at " + Integer.toHexString(one.codePointAt(0))));
    }
}
