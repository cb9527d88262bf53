package dev.holdfast.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A part of a page in docs/ that is generated from the sources, between two comments with its name. A test passes the
 * expected content; with {@code HOLDFAST_WRITE_DOCS} set, the part is written first.
 */
public record GeneratedPart(Path page, String name) {
    /** The page's file name, below docs/; tests run in the folder of their module. */
    public static GeneratedPart of(String page, String name) {
        return new GeneratedPart(Path.of("..", "docs", page), name);
    }

    /** Fails, saying how to write it, if the part differs. */
    public void mustBe(String content) throws IOException {
        String text = Files.readString(page);
        String begin = "<!-- " + name + ": generated -->\n";
        int from = text.indexOf(begin);
        int to = text.indexOf("<!-- end of " + name + " -->");
        assertThat(from).as(page + " has no line " + begin).isNotNegative();
        String wanted = text.substring(0, from + begin.length()) + "\n" + content.strip() + "\n\n" + text.substring(to);
        if (System.getenv("HOLDFAST_WRITE_DOCS") != null) {
            Files.writeString(page, wanted);
        }
        assertThat(Files.readString(page))
                .as("to write it, run this test with HOLDFAST_WRITE_DOCS=1 in the environment")
                .isEqualTo(wanted);
    }
}
