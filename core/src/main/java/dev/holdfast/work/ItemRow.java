package dev.holdfast.work;

import dev.holdfast.claim.Resource;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One row of {@code work_items}, as it is read under the lock of its resource, changed and written back. */
final class ItemRow {
    /** No label has a line break. */
    private static final String TYPE_MARK = "\ntype:";

    final String id;
    String title;

    @Nullable
    String description;

    String type;
    int priority;
    Set<String> labels;
    String queue;
    Status status = Status.OPEN;

    @Nullable
    String blockedReason;

    long waitsFor;
    boolean importing;

    @Nullable
    String assignee;

    @Nullable
    String externalRef;

    @Nullable
    String metadata;

    @Nullable
    Long deferUntil;

    long createdAt;

    @Nullable
    String createdBy;

    long updatedAt;

    @Nullable
    Long closedAt;

    @Nullable
    String closedBy;

    @Nullable
    String closeReason;

    long children;

    @Nullable
    String source;

    String lastCall;

    ItemRow(String id, String title, String type, int priority, Set<String> labels, String queue, String lastCall) {
        this.id = id;
        this.title = title;
        this.type = type;
        this.priority = priority;
        this.labels = labels;
        this.queue = queue;
        this.lastCall = lastCall;
    }

    Resource resource() {
        return WorkItem.resource(id);
    }

    /** Something other than the calendar or a holder keeps it from being given to anybody. */
    boolean barred() {
        return waitsFor > 0
                || importing
                || status == Status.BLOCKED
                || (status == Status.DEFERRED && deferUntil == null);
    }

    /** What claim-next chooses by: its labels and, marked so that no label can be taken for it, its type. */
    Set<String> marks() {
        return marks(labels, type);
    }

    static Set<String> marks(Set<String> labels, @Nullable String type) {
        Set<String> marks = new TreeSet<>(labels);
        if (type != null) {
            marks.add(TYPE_MARK + type);
        }
        return marks;
    }
}
