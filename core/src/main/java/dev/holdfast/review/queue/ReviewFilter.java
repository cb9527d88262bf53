package dev.holdfast.review.queue;

import dev.holdfast.review.record.Priority;
import dev.holdfast.review.record.Project;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.store.Parameters;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which reviews to list.
 *
 * @param status as users see it, or {@link #OPEN}; null: any
 * @param projects in any spelling; empty: any project, or none
 * @param priority by its name; null: any
 * @param agent who proposed it, holds it or gave the last verdict; null: anybody
 * @param text part of the intent, case-insensitive; null: anything
 */
public record ReviewFilter(
        @Nullable String status,
        @Nullable String category,
        Set<String> projects,
        @Nullable String priority,
        @Nullable String agent,
        @Nullable String text) {
    /** Neither closed nor withdrawn. */
    public static final String OPEN = "open";

    /** Lists the statuses, so that an index can be used; equivalent to excluding the other two. */
    static final String IS_OPEN = " AND v.status IN ('pending', 'in_review', 'approved', 'changes_requested')";

    public static final ReviewFilter ALL = new ReviewFilter(null, null, Set.of());

    public ReviewFilter {
        projects = projects.stream().map(Project::key).collect(Collectors.toCollection(TreeSet::new));
    }

    public ReviewFilter(@Nullable String status, @Nullable String category, Set<String> projects) {
        this(status, category, projects, null, null, null);
    }

    public static ReviewFilter status(String status) {
        return new ReviewFilter(status, null, Set.of());
    }

    /** Whether a review matches; its status is not checked. */
    boolean includes(@Nullable String ofCategory, String project) {
        return (category == null || category.equals(ofCategory)) && (projects.isEmpty() || projects.contains(project));
    }

    /** In terms of {@link ReviewTable#VIEW}. */
    String where() {
        StringBuilder where = new StringBuilder("WHERE 1 = 1");
        if (status != null) {
            where.append(
                    switch (status) {
                        case "pending" -> " AND v.status = 'pending' AND r.state <> 'held'";
                        case "claimed" -> " AND v.status = 'pending' AND r.state = 'held'";
                        case OPEN -> IS_OPEN;
                        default -> isPartOfStatement() ? " AND v.status = '" + status + "'" : " AND v.status = :status";
                    });
        }
        if (category != null) {
            where.append(" AND v.category = :category");
        }
        if (projects.size() == 1) {
            where.append(" AND v.project_key = :project");
        } else if (!projects.isEmpty()) {
            where.append(" AND :project LIKE '%,' || v.project_key || ',%'"); // keys are letters and digits only
        }
        if (priority != null) {
            where.append(" AND v.priority = :wanted_priority");
        }
        if (agent != null) {
            where.append(
                    " AND (v.agent_type = :agent OR r.holder = :agent OR v.verdict_by = :agent OR p.agent = :agent)");
        }
        if (text != null) {
            where.append(" AND lower(v.intent) LIKE :text ESCAPE '!'");
        }
        return where.toString();
    }

    /** A known status becomes part of the statement, so that PostgreSQL plans it once for that status. */
    private boolean isPartOfStatement() {
        return OPEN.equals(status) || ReviewStatus.words().contains(status);
    }

    void bind(Parameters p) throws SQLException {
        if (status != null && !isPartOfStatement()) {
            p.text("status", status);
        }
        if (category != null) {
            p.text("category", category);
        }
        if (projects.size() == 1) {
            p.text("project", projects.iterator().next());
        } else if (!projects.isEmpty()) {
            p.text("project", "," + String.join(",", projects) + ",");
        }
        if (priority != null) {
            p.number("wanted_priority", Priority.named(priority).rank());
        }
        if (agent != null) {
            p.text("agent", agent);
        }
        if (text != null) {
            String plain = text.toLowerCase(Locale.ROOT)
                    .replace("!", "!!")
                    .replace("%", "!%")
                    .replace("_", "!_");
            p.text("text", "%" + plain + "%");
        }
    }
}
