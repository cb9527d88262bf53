package dev.holdfast.broker.dashboard.page;

import java.util.List;

/**
 * What a page shows this time.
 *
 * @param template the file in {@code src/main/jte}, without its extension
 * @param title of the tab, and the last breadcrumb
 * @param view passed to the template as {@code view}
 * @param crumbs the pages above it; empty: it is in the sidebar itself
 * @param topics prefixes of the resources whose events make it stale, such as {@code review:}; empty: any event does
 * @param rail whether the sidebar is as narrow as it gets, to leave room
 */
public record Sheet(String template, String title, Object view, List<Crumb> crumbs, List<String> topics, boolean rail) {
    /** A page above this one. */
    public record Crumb(String title, String path) {}

    public static Sheet of(String template, String title, Object view) {
        return new Sheet(template, title, view, List.of(), List.of(), false);
    }

    /** Open pages fetch it again whenever something happens to a resource with one of these prefixes. */
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
