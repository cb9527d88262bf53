package dev.holdfast.work;

import java.util.List;
import java.util.Set;

/**
 * An item depends on another.
 *
 * @param holds whether it currently holds the item back
 */
public record Dependency(String item, String dependsOn, String type, boolean holds) {
    public static final String BLOCKS = "blocks";
    public static final String PARENT_CHILD = "parent-child";

    /** The types that callers may use; an import may bring others, which are kept. */
    public static final List<String> TYPES = List.of(BLOCKS, PARENT_CHILD, "related", "discovered-from");

    /** Hold back until the other item is closed; the last two come from imports. */
    private static final Set<String> HOLD_BACK = Set.of(BLOCKS, "conditional-blocks", "waits-for");

    /** Whether it imposes an order, so that cycles of such dependencies must not exist. */
    public static boolean orders(String type) {
        return HOLD_BACK.contains(type) || type.equals(PARENT_CHILD);
    }

    /** Whether it holds its item back, given the other item's state: a child waits while its parent does. */
    static boolean holds(String type, ItemRow other) {
        if (other.status == WorkStatus.CLOSED) {
            return false;
        }
        return HOLD_BACK.contains(type) || (type.equals(PARENT_CHILD) && other.barred());
    }
}
