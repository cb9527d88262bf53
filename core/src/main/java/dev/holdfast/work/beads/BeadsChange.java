package dev.holdfast.work.beads;

import dev.holdfast.work.ItemRow;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Changes in an item only what has changed in its line since it was last imported. */
final class BeadsChange {
    private final @Nullable BeadsIssue before;
    private final BeadsIssue fresh;
    private boolean changed;

    private BeadsChange(@Nullable BeadsIssue before, BeadsIssue fresh) {
        this.before = before;
        this.fresh = fresh;
    }

    /**
     * True if anything in the item changed.
     *
     * @param holder of the item; null: nobody. beads has no holders, so its assignee may be the same thing
     */
    static boolean apply(ItemRow item, @Nullable BeadsIssue before, BeadsIssue fresh, @Nullable String holder) {
        BeadsChange change = new BeadsChange(before, fresh);
        item.title = change.must(item.title, BeadsIssue::title);
        item.description = change.maybe(item.description, BeadsIssue::description);
        item.type = change.must(item.type, BeadsIssue::type);
        item.priority = change.must(item.priority, BeadsIssue::priority);
        item.labels = change.must(item.labels, BeadsIssue::labels);
        if (holder == null || !holder.equals(fresh.assignee())) {
            item.assignee = change.maybe(item.assignee, BeadsIssue::assignee);
        }
        item.externalRef = change.maybe(item.externalRef, BeadsIssue::externalRef);
        item.metadata = change.maybe(item.metadata, BeadsIssue::metadata);
        if (fresh.queue() != null) {
            item.queue = change.must(item.queue, issue -> Objects.requireNonNullElse(issue.queue(), ""));
        }
        return change.changed;
    }

    private <T> T must(T current, Function<BeadsIssue, T> field) {
        T next = field.apply(fresh);
        if ((before != null && Objects.equals(field.apply(before), next)) || Objects.equals(current, next)) {
            return current;
        }
        changed = true;
        return next;
    }

    private @Nullable String maybe(@Nullable String current, Function<BeadsIssue, @Nullable String> field) {
        String next = field.apply(fresh);
        if ((before != null && Objects.equals(field.apply(before), next)) || Objects.equals(current, next)) {
            return current;
        }
        changed = true;
        return next;
    }
}
