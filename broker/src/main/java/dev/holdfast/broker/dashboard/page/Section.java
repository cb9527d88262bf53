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

    /** What its number counts; empty: it has none, or one that speaks for itself. */
    public String counted() {
        return switch (this) {
            case REVIEWS -> "open";
            case WORK -> "ready or in progress";
            case TASKS, POOL -> "running";
            case AGENTS -> "holding something";
            case OVERVIEW, EVENTS, SETTINGS -> "";
        };
    }

    /** The second group of the sidebar begins here. */
    public boolean afterGap() {
        return this == AGENTS;
    }
}
