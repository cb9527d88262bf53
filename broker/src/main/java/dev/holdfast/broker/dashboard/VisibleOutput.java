package dev.holdfast.broker.dashboard;

import dev.holdfast.broker.dashboard.diff.VisibleText;
import gg.jte.TemplateOutput;
import gg.jte.html.OwaspHtmlTemplateOutput;
import org.jspecify.annotations.Nullable;

/**
 * The output of a page. It makes hidden characters in others' text visible wherever the page shows such text: a name, a
 * heading in a diff, a path. What forms send back and links point to stays as it is.
 */
final class VisibleOutput extends OwaspHtmlTemplateOutput {
    private boolean shown = true;

    VisibleOutput(TemplateOutput out) {
        super(out);
    }

    @Override
    public void setContext(String tag, @Nullable String attribute) {
        super.setContext(tag, attribute);
        shown = attribute == null || attribute.equals("title") || attribute.startsWith("aria-");
    }

    @Override
    public void writeUserContent(@Nullable String text) {
        super.writeUserContent(text == null || !shown ? text : VisibleText.of(text));
    }
}
