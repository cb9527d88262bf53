package dev.holdfast.review.record;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a proposer submits, as a new review or as the next round of one.
 *
 * @param priority null: depends on who proposes what
 * @param base the commit that the diff was made from, zeros if there was none yet; null: unknown
 * @param skipDiffValidation do not check that the diff applies to the project's files
 */
public record Proposal(
        String intent,
        String agentType,
        String agentRole,
        String phase,
        @Nullable String plan,
        @Nullable String task,
        @Nullable String project,
        @Nullable String category,
        @Nullable Priority priority,
        @Nullable String description,
        @Nullable String diff,
        @Nullable String base,
        boolean skipDiffValidation) {
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");

    public static Proposal of(String intent, String agentType, String agentRole, String phase) {
        return new Proposal(intent, agentType, agentRole, phase, null, null, null, null, null, null, null, null, false);
    }

    public Proposal project(@Nullable String project) {
        return with(project, category, description, diff, base, skipDiffValidation);
    }

    public Proposal category(@Nullable String category) {
        return with(project, category, description, diff, base, skipDiffValidation);
    }

    public Proposal description(@Nullable String description) {
        return with(project, category, description, diff, base, skipDiffValidation);
    }

    public Proposal diff(@Nullable String diff) {
        return with(project, category, description, diff, base, skipDiffValidation);
    }

    public Proposal base(@Nullable String commit) {
        return with(project, category, description, diff, commit, skipDiffValidation);
    }

    public Proposal skipDiffValidation(boolean skip) {
        return with(project, category, description, diff, base, skip);
    }

    private Proposal with(
            @Nullable String project,
            @Nullable String category,
            @Nullable String description,
            @Nullable String diff,
            @Nullable String base,
            boolean skip) {
        return new Proposal(
                intent,
                agentType,
                agentRole,
                phase,
                plan,
                task,
                project,
                category,
                priority,
                description,
                diff,
                base,
                skip);
    }

    /** How urgent it is: as its proposer says or, by default, depending on who proposes what. */
    public Priority urgency() {
        return priority == null ? Priority.of(agentType, phase) : priority;
    }

    public Proposal checked(ReviewLimits limits) {
        ReviewLimits.required("agent_type", agentType);
        limits.text("intent", intent);
        limits.word("agent_type", agentType);
        limits.word("agent_role", agentRole);
        limits.word("phase", phase);
        limits.word("plan", plan);
        limits.word("task", task);
        limits.text("project", project);
        limits.word("project", Project.key(project));
        limits.word("category", category);
        limits.text("description", description);
        limits.diff("diff", diff);
        if (base != null && !COMMIT.matcher(base).matches()) {
            throw new InvalidException("base must be a whole commit id, as 'git rev-parse HEAD' prints it, not '"
                    + Text.printable(base.length() > 100 ? base.substring(0, 100) : base) + "'");
        }
        return this;
    }
}
