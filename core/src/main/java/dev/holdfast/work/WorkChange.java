package dev.holdfast.work;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is to become of an item: a form to fill in. What is not given stays; an empty text takes away what was there.
 */
public final class WorkChange {
    @Nullable
    String title;

    @Nullable
    String description;

    @Nullable
    Integer priority;

    @Nullable
    String type;
    /** All of them, not only new ones. */
    @Nullable
    Set<String> labels;

    @Nullable
    String queue;

    @Nullable
    String assignee;

    @Nullable
    String externalRef;
    /** A JSON object, which takes the place of the one before. */
    @Nullable
    String metadata;
    /** Open, blocked or deferred; whoever holds the item lets go of it by that. */
    @Nullable
    WorkStatus status;
    /** Why it is blocked. */
    @Nullable
    String reason;

    @Nullable
    Instant deferUntil;
    /** What the next holder is to know, should this one not come to say it. */
    @Nullable
    String note;
    /** Who changes it, when nobody holds it. */
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
        type = given == null ? null : WorkLimits.required("type", given);
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
