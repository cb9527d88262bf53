package dev.holdfast.work;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A change to an item, filled in field by field. Fields that are not given stay; an empty text removes the value. */
public final class WorkChange {
    @Nullable
    String title;

    @Nullable
    String description;

    @Nullable
    Integer priority;

    @Nullable
    String type;
    /** The complete set, not only new ones. */
    @Nullable
    Set<String> labels;

    @Nullable
    String queue;

    @Nullable
    String assignee;

    @Nullable
    String externalRef;
    /** A JSON object that replaces the previous one. */
    @Nullable
    String metadata;
    /** Open, blocked or deferred; setting it releases the item. */
    @Nullable
    WorkStatus status;
    /** Why it is blocked. */
    @Nullable
    String reason;

    @Nullable
    Instant deferUntil;
    /** A handoff note, in case this holder never gets to leave one. */
    @Nullable
    String note;
    /** Who makes the change, if nobody holds the item. */
    @Nullable
    String actor;

    public WorkChange title(@Nullable String given) {
        title = given == null ? null : WorkLimits.title(given);
        return this;
    }

    public WorkChange description(@Nullable String given) {
        description = WorkLimits.text("description", given);
        return this;
    }

    public WorkChange priority(@Nullable Integer given) {
        priority = given == null ? null : WorkLimits.priority(given);
        return this;
    }

    public WorkChange type(@Nullable String given) {
        type = given == null ? null : WorkLimits.type("type", given);
        return this;
    }

    public WorkChange labels(@Nullable Set<String> given) {
        labels = given == null ? null : WorkLimits.labels(given);
        return this;
    }

    public WorkChange queue(@Nullable String given) {
        queue = given == null ? null : WorkLimits.queue(given);
        return this;
    }

    public WorkChange assignee(@Nullable String given) {
        assignee = WorkLimits.text("assignee", given);
        return this;
    }

    public WorkChange externalRef(@Nullable String given) {
        externalRef = WorkLimits.text("external_ref", given);
        return this;
    }

    public WorkChange metadata(@Nullable String given) {
        metadata = WorkLimits.text("metadata", given);
        return this;
    }

    public WorkChange status(@Nullable WorkStatus given) {
        status = given;
        return this;
    }

    public WorkChange reason(@Nullable String given) {
        reason = WorkLimits.text("reason", given);
        return this;
    }

    public WorkChange deferUntil(@Nullable Instant given) {
        deferUntil = given;
        return this;
    }

    public WorkChange note(@Nullable String given) {
        note = WorkLimits.text("note", given);
        return this;
    }

    public WorkChange actor(@Nullable String given) {
        actor = given;
        return this;
    }
}
