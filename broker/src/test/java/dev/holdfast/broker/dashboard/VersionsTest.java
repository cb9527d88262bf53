package dev.holdfast.broker.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class VersionsTest {
    private static final String PAGE = """
            <body><div class="a" data-region="head"><h1>%s</h1></div>
            <section data-region="list"><table><tbody>
            <tr data-row data-key="a"><td>%s</td><td><time datetime="2026-11-16T10:00:00Z" title="x" data-ago>%s</time></td></tr>
            <tr data-row data-key="b"><td>%s</td></tr></tbody></table></section></body>
            """;

    private static List<String> versions(String page) {
        return Pattern.compile(" data-v=\"(\\w+)\"")
                .matcher(Versions.in(page))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    @Test
    void a_row_that_changes_is_another_version_and_so_is_its_region_but_nothing_else() {
        List<String> before = versions(PAGE.formatted("Work", "First", "3 s", "Second"));
        List<String> after = versions(PAGE.formatted("Work", "First", "3 s", "Third"));

        assertThat(before).hasSize(4); // two regions, two rows
        assertThat(after.get(0)).isEqualTo(before.get(0));
        assertThat(after.get(1)).isNotEqualTo(before.get(1));
        assertThat(after.get(2)).isEqualTo(before.get(2));
        assertThat(after.get(3)).isNotEqualTo(before.get(3));
    }

    @Test
    void what_moves_with_the_clock_is_no_change() {
        String rope =
                "<svg class=\"lease %s\" aria-label=\"%s\" data-from=\"1\" data-until=\"%d\"><title>%s</title></svg>";

        assertThat(versions(PAGE.formatted("Work", "First", "3 s", rope.formatted("", "5 min", 9, "5 min"))))
                .isEqualTo(
                        versions(PAGE.formatted("Work", "First", "8 s", rope.formatted("low", "1 min", 9, "1 min"))));
        assertThat(versions(PAGE.formatted("Work", "First", "3 s", rope.formatted("", "5 min", 9, "5 min"))))
                .isNotEqualTo(
                        versions(PAGE.formatted("Work", "First", "3 s", rope.formatted("", "5 min", 10, "5 min"))));
    }

    @Test
    void a_text_that_looks_like_a_row_stays_a_text() {
        String title = "x data-row data-key=\"b\" data-region=\"list\"";

        assertThat(Versions.in(PAGE.formatted("Work", title, "3 s", "Second"))).contains("<td>" + title + "</td>");
    }
}
