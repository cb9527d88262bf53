package dev.holdfast.broker.dashboard.work;

import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.work.Board;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * @param how status, holder or list
 * @param graph what the chosen epic waits for; null: there is no epic, or it waits for nothing
 * @param lanes of the board
 * @param rows of the list
 * @param next where the next page of the list starts; null: there is none
 * @param queues the queues that a new item can go into, the likeliest first
 */
public record WorkView(
        String how,
        String lead,
        boolean empty,
        List<Board.Epic> epics,
        @Nullable EpicGraph graph,
        List<Lane> lanes,
        List<Card> rows,
        @Nullable String next,
        Filters filters,
        List<String> queues) {
    /** One column of the board. */
    public record Lane(String key, String title, String icon, String look, long total, String hint, List<Card> cards) {
        public long more() {
            return total - cards.size();
        }
    }

    /** What the address asks for. */
    public record Filters(String status, String queue, String holder, String parent, String label) {
        public boolean any() {
            return !(status + queue + holder + parent + label).isEmpty();
        }

        /** The address of the next page of the list. */
        public String page(String after) {
            return "/work?view=list&status=" + Address.encoded(status) + "&queue=" + Address.encoded(queue) + "&holder="
                    + Address.encoded(holder) + "&label=" + Address.encoded(label) + "&parent="
                    + Address.encoded(parent) + "&after=" + Address.encoded(after);
        }
    }
}
