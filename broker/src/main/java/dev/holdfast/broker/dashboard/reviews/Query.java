package dev.holdfast.broker.dashboard.reviews;

import dev.holdfast.broker.dashboard.page.Visit;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which reviews are wanted, and in which order. All of it is in the address, so that the address can be kept and
 * shared.
 *
 * @param view one of the tabs
 * @param text words that the proposal contains
 */
record Query(
        String view,
        Set<String> projects,
        @Nullable String category,
        @Nullable String priority,
        @Nullable String agent,
        @Nullable String text,
        String order,
        @Nullable String cursor) {
    static final List<String> VIEWS =
            List.of("open", "pending", "claimed", "changes_requested", "approved", "closed", "withdrawn", "all");
    static final List<String> ORDERS = List.of("waiting", "urgent", "newest");

    static Query of(Visit visit) {
        Set<String> projects = new TreeSet<>(visit.queries("project"));
        String category = visit.query("category");
        String priority = visit.query("priority");
        String agent = visit.query("agent");
        List<String> words = new ArrayList<>();
        String typed = visit.query("q");
        for (String word : typed == null ? new String[0] : typed.strip().split("\\s+")) {
            int colon = word.indexOf(':');
            String value = word.substring(colon + 1);
            switch (colon > 0 && !value.isEmpty() ? word.substring(0, colon) : "") {
                case "project" -> projects.addAll(List.of(value.split(",")));
                case "category" -> category = value;
                case "priority" -> priority = value;
                case "agent" -> agent = value;
                default -> words.add(word);
            }
        }
        String view = visit.query("view");
        String order = visit.query("order");
        return new Query(
                view != null && VIEWS.contains(view) ? view : "open",
                projects,
                category,
                priority,
                agent,
                words.isEmpty() ? null : String.join(" ", words),
                order != null && ORDERS.contains(order) ? order : "waiting",
                visit.query("cursor"));
    }

    boolean narrows() {
        return !projects.isEmpty() || category != null || priority != null || agent != null || text != null;
    }

    Query in(String otherView) {
        return new Query(otherView, projects, category, priority, agent, text, order, null);
    }

    Query by(String otherOrder) {
        return new Query(view, projects, category, priority, agent, text, otherOrder, null);
    }

    Query from(@Nullable String place) {
        return new Query(view, projects, category, priority, agent, text, order, place);
    }

    Query withoutProject(String project) {
        Set<String> others = new TreeSet<>(projects);
        others.remove(project);
        return new Query(view, others, category, priority, agent, text, order, null);
    }

    Query withoutCategory() {
        return new Query(view, projects, null, priority, agent, text, order, null);
    }

    Query withoutPriority() {
        return new Query(view, projects, category, null, agent, text, order, null);
    }

    Query withoutAgent() {
        return new Query(view, projects, category, priority, null, text, order, null);
    }

    Query withoutText() {
        return new Query(view, projects, category, priority, agent, null, order, null);
    }

    /** The address of this query. */
    String path() {
        List<String> parts = new ArrayList<>();
        add(parts, "view", view.equals("open") ? null : view);
        projects.forEach(project -> add(parts, "project", project));
        add(parts, "category", category);
        add(parts, "priority", priority);
        add(parts, "agent", agent);
        add(parts, "q", text);
        add(parts, "order", order.equals("waiting") ? null : order);
        add(parts, "cursor", cursor);
        return "/reviews" + (parts.isEmpty() ? "" : "?" + String.join("&", parts));
    }

    private static void add(List<String> parts, String name, @Nullable String value) {
        if (value != null) {
            parts.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
        }
    }
}
