package dev.holdfast.work;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An item to create, filled in field by field. Only the title is required. */
public final class NewWork {
    public static final int ORDINARY_PRIORITY = 2;
    public static final String ORDINARY_TYPE = "task";

    final String title;
    /** Null: one is generated. */
    @Nullable
    String id;

    @Nullable
    String description;

    int priority = ORDINARY_PRIORITY;
    String type = ORDINARY_TYPE;
    Set<String> labels = Set.of();
    String queue = "";
    /** The item that it is part of; its id then starts with the parent's. */
    @Nullable
    String parent;
    /** The items that must be closed first. */
    Set<String> dependsOn = Set.of();
    /** The item that somebody was working on when this one came up. */
    @Nullable
    String discoveredFrom;

    @Nullable
    String assignee;

    @Nullable
    String externalRef;

    @Nullable
    Instant deferUntil;
    /** The caller's own JSON object. */
    @Nullable
    String metadata;
    /** Who creates it. */
    @Nullable
    String actor;

    private NewWork(String title) {
        this.title = title;
    }

    public static NewWork titled(String title) {
        return new NewWork(WorkLimits.title(title));
    }

    public NewWork id(@Nullable String given) {
        id = given == null ? null : WorkLimits.id(given);
        return this;
    }

    public NewWork description(@Nullable String given) {
        description = WorkLimits.text("description", given);
        return this;
    }

    public NewWork priority(int given) {
        priority = WorkLimits.priority(given);
        return this;
    }

    public NewWork type(String given) {
        type = WorkLimits.type("type", given);
        return this;
    }

    public NewWork labels(Set<String> given) {
        labels = WorkLimits.labels(given);
        return this;
    }

    public NewWork queue(String given) {
        queue = WorkLimits.queue(given);
        return this;
    }

    public NewWork parent(@Nullable String given) {
        parent = given;
        return this;
    }

    public NewWork dependsOn(Set<String> given) {
        dependsOn = Set.copyOf(given);
        return this;
    }

    public NewWork discoveredFrom(@Nullable String given) {
        discoveredFrom = given;
        return this;
    }

    public NewWork assignee(@Nullable String given) {
        assignee = WorkLimits.word("assignee", given);
        return this;
    }

    public NewWork externalRef(@Nullable String given) {
        externalRef = WorkLimits.word("external_ref", given);
        return this;
    }

    public NewWork deferUntil(@Nullable Instant given) {
        deferUntil = given;
        return this;
    }

    public NewWork metadata(@Nullable String given) {
        metadata = WorkLimits.text("metadata", given);
        return this;
    }

    public NewWork actor(@Nullable String given) {
        actor = given;
        return this;
    }
}
