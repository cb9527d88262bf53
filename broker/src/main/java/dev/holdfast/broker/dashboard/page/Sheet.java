package dev.holdfast.broker.dashboard.page;

import java.util.List;

/**
 * What a page shows this time.
 *
 * @param template the file below {@code src/main/jte}, without its ending
 * @param title of the tab, and the last of the crumbs
 * @param view what the template is given as {@code view}
 * @param crumbs the places above it; empty: it is one of the sidebar's own
 * @param topics the beginnings of resources whose events make it stale, such as {@code review:}; empty: any event does
 * @param rail the sidebar is as narrow as it gets, to leave room
 */
public record Sheet(String template, String title, Object view, List<Crumb> crumbs, List<String> topics, boolean rail) {
    /** A place above a page. */
    public record Crumb(String title, String path) {}

    public static Sheet of(String template, String title, Object view) {
        return new Sheet(template, title, view, List.of(), List.of(), false);
    }

    /** Read again whenever something happens to a resource that begins so. */
    public Sheet live(String... resources) {
        return new Sheet(template, title, view, crumbs, List.of(resources), rail);
    }

    public Sheet below(String place, String path) {
        return new Sheet(template, title, view, List.of(new Crumb(place, path)), topics, rail);
    }

    public Sheet withRail() {
        return new Sheet(template, title, view, crumbs, topics, true);
    }
}
