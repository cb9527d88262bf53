package dev.holdfast.broker.dashboard;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Looks for what keeps people from using a page. */
final class Axe {
    private static final String SCRIPT = read();

    /** The rows of a table are alike, and to look at every one of them takes seconds. */
    private static final String FEWER =
            "document.querySelectorAll('tbody > tr:nth-child(n + 16), ol > li:nth-child(n + 16)').forEach(row => row.remove())";

    private Axe() {}

    /** What is serious or worse, each with the first element that has it. */
    static List<String> serious(Page page) {
        page.evaluate(SCRIPT);
        page.evaluate(FEWER);
        Object found = page.evaluate("""
                () => axe.run(document, {resultTypes: ['violations']}).then(results => results.violations
                    .filter(one => one.impact === 'serious' || one.impact === 'critical')
                    .map(one => one.id + ' (' + one.nodes.length + '): ' + one.nodes[0].html.slice(0, 200) + ' ' + (one.nodes[0].any[0]?.message ?? '')))
                """);
        return ((List<?>) found).stream().map(String::valueOf).toList();
    }

    private static String read() {
        try (InputStream in = Objects.requireNonNull(Axe.class.getResourceAsStream("/axe.min.js"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
