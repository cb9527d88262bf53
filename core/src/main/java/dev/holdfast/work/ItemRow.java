package dev.holdfast.work;

import dev.holdfast.claim.Resource;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One row of {@code work_items}: read under the lock of its resource, changed, and written back. */
public final class ItemRow {
    /** No label contains a line break. */
    private static final String TYPE_MARK = "\ntype:";

    public final String id;
    public String title;

    @Nullable
    public String description;

    public String type;
    public int priority;
    public Set<String> labels;
    public String queue;
    public WorkStatus status = WorkStatus.OPEN;

    @Nullable
    public String blockedReason;

    long waitsFor;
    public boolean importing;

    @Nullable
    public String assignee;

    @Nullable
    public String externalRef;

    @Nullable
    public String metadata;

    @Nullable
    public Long deferUntil;

    public long createdAt;

    @Nullable
    public String createdBy;

    public long updatedAt;

    @Nullable
    public Long closedAt;

    @Nullable
    String closedBy;

    @Nullable
    String closeReason;

    long children;

    @Nullable
    public String source;

    String lastCall;

    public ItemRow(
            String id, String title, String type, int priority, Set<String> labels, String queue, String lastCall) {
        this.id = id;
        this.title = title;
        this.type = type;
        this.priority = priority;
        this.labels = labels;
        this.queue = queue;
        this.lastCall = lastCall;
    }

    public Resource resource() {
        return WorkItem.resource(id);
    }

    /** Whether something other than a defer date or a holder keeps it from being claimed. */
    public boolean barred() {
        return waitsFor > 0
                || importing
                || status == WorkStatus.BLOCKED
                || (status == WorkStatus.DEFERRED && deferUntil == null);
    }

    /** What claim-next chooses by: its labels, and its type in a form that no label can have. */
    public Set<String> marks() {
        return marks(labels, type);
    }

    public static Set<String> marks(Set<String> labels, @Nullable String type) {
        Set<String> marks = new TreeSet<>(labels);
        if (type != null) {
            marks.add(TYPE_MARK + type);
        }
        return marks;
    }
}
