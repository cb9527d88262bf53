package dev.holdfast.broker.dashboard;

import dev.holdfast.broker.dashboard.diff.Visible;
import gg.jte.TemplateOutput;
import gg.jte.html.OwaspHtmlTemplateOutput;
import org.jspecify.annotations.Nullable;

/**
 * A page on its way out. Whatever it shows of others' text has no hidden characters, wherever it stands: a name, a heading of a diff, a
 * path. What forms send back and addresses lead to stays as it is.
 */
final class ShownOutput extends OwaspHtmlTemplateOutput {
    private boolean shown = true;

    ShownOutput(TemplateOutput out) {
        super(out);
    }

    @Override
    public void setContext(String tag, @Nullable String attribute) {
        super.setContext(tag, attribute);
        shown = attribute == null || attribute.equals("title") || attribute.startsWith("aria-");
    }

    @Override
    public void writeUserContent(@Nullable String text) {
        super.writeUserContent(text == null || !shown ? text : Visible.of(text));
    }
}
