package dev.holdfast.broker.dashboard.page;

import java.util.Locale;

/** The entries of the sidebar, in order. */
public enum Section {
    OVERVIEW("/"),
    REVIEWS("/reviews"),
    WORK("/work"),
    TASKS("/tasks"),
    POOL("/pool"),
    AGENTS("/agents"),
    EVENTS("/events"),
    SETTINGS("/settings");

    private final String path;

    Section(String path) {
        this.path = path;
    }

    public String path() {
        return path;
    }

    /** Its icon; the first letter is also its key, after {@code g}. */
    public String icon() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String title() {
        return name().charAt(0) + icon().substring(1);
    }

    /** The second group of the sidebar begins here. */
    public boolean afterGap() {
        return this == AGENTS;
    }
}
