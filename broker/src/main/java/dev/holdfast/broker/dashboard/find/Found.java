package dev.holdfast.broker.dashboard.find;

import dev.holdfast.broker.dashboard.page.Section;
import java.util.Locale;

/**
 * Something that a search found.
 *
 * @param says what kind of thing it is, and its state or place
 */
public record Found(String icon, String title, String says, String path) {
    /** The head that it is listed under: what such things' page is called. */
    public String group() {
        return Section.valueOf(icon.toUpperCase(Locale.ROOT)).title();
    }
}
