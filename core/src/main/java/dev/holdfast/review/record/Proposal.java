package dev.holdfast.review.record;

import org.jspecify.annotations.Nullable;

/**
 * What a proposer hands in, for a new review or as the next round of one.
 *
 * @param skipDiffValidation the diff need not apply to the project's files
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
        @Nullable String description,
        @Nullable String diff,
        boolean skipDiffValidation) {
    public static Proposal of(String intent, String agentType, String agentRole, String phase) {
        return new Proposal(intent, agentType, agentRole, phase, null, null, null, null, null, null, false);
    }

    public Proposal project(@Nullable String project) {
        return new Proposal(
                intent,
                agentType,
                agentRole,
                phase,
                plan,
                task,
                project,
                category,
                description,
                diff,
                skipDiffValidation);
    }

    public Proposal category(@Nullable String category) {
        return new Proposal(
                intent,
                agentType,
                agentRole,
                phase,
                plan,
                task,
                project,
                category,
                description,
                diff,
                skipDiffValidation);
    }

    public Proposal description(@Nullable String description) {
        return new Proposal(
                intent,
                agentType,
                agentRole,
                phase,
                plan,
                task,
                project,
                category,
                description,
                diff,
                skipDiffValidation);
    }

    public Proposal diff(@Nullable String diff) {
        return new Proposal(
                intent,
                agentType,
                agentRole,
                phase,
                plan,
                task,
                project,
                category,
                description,
                diff,
                skipDiffValidation);
    }

    public Proposal skipDiffValidation(boolean skip) {
        return new Proposal(
                intent, agentType, agentRole, phase, plan, task, project, category, description, diff, skip);
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
        return this;
    }
}
