package dev.holdfast.work;

import java.util.List;
import java.util.Set;

/**
 * An item depends on another.
 *
 * @param holds it holds the item back now
 */
public record Dependency(String item, String dependsOn, String type, boolean holds) {
    public static final String BLOCKS = "blocks";
    public static final String PARENT_CHILD = "parent-child";

    /** What callers may say; an import may bring others, which are kept. */
    public static final List<String> TYPES = List.of(BLOCKS, PARENT_CHILD, "related", "discovered-from");

    /** Until the other item is closed; the last two come from imports. */
    private static final Set<String> HOLD_BACK = Set.of(BLOCKS, "conditional-blocks", "waits-for");

    /** Whether it says what must be done first, so that there must be no circles of them. */
    public static boolean orders(String type) {
        return HOLD_BACK.contains(type) || type.equals(PARENT_CHILD);
    }

    /** Whether it holds its item back, now that the other item stands like this: a child waits while its parent does. */
    static boolean holds(String type, ItemRow other) {
        if (other.status == WorkStatus.CLOSED) {
            return false;
        }
        return HOLD_BACK.contains(type) || (type.equals(PARENT_CHILD) && other.barred());
    }
}
