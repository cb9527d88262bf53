package dev.holdfast.broker.dashboard.page;

/**
 * One page: reads what it shows from the core, and names the template that shows it.
 *
 * <pre>{@code
 * public final class AgentsPage implements Page {
 *     public String path() { return "/agents"; }
 *     public Section section() { return Section.AGENTS; }
 *     public Sheet show(Visit visit) {
 *         return Sheet.of("agents", "Agents", new AgentsView(...)).live("agent");
 *     }
 * }
 * }</pre>
 */
public interface Page {
    /** Its address, such as {@code /reviews/{id}}. */
    String path();

    /** The entry of the sidebar that it belongs to. */
    Section section();

    /** @throws MissingException when what it is about does not exist */
    Sheet show(Visit visit);
}
