package dev.holdfast.broker.verb;

import java.util.List;

/** Reviewers that the broker runs itself. There is no pool: {@code spawn_reviewer kill_reviewer list_reviewers} say so. */
final class PoolVerbs {
    private PoolVerbs() {}

    static List<Verb> verbs() {
        return List.of(
                verb(
                        "spawn_reviewer",
                        "Start a reviewer of the broker's own pool. Example: {\"project\": \"shop\"}",
                        List.of(ReviewFields.PROJECT)),
                verb(
                        "kill_reviewer",
                        "Let a reviewer of the broker's own pool finish what it has, and end it. Example: {\"reviewer_id\": \"codex-r1-0a1b\"}",
                        List.of(ReviewFields.REVIEWER_ID.must(), Field.flag("force", "end it at once"))),
                verb("list_reviewers", "List the reviewers of the broker's own pool. Example: {}", List.of()));
    }

    private static Verb verb(String name, String description, List<Field> arguments) {
        return new Verb(
                name,
                description,
                arguments,
                List.of(),
                name.startsWith("list") ? Verb.Nature.READ : Verb.Nature.CHANGE,
                _ -> Answer.refused(
                        Code.BAD_STATE, "Reviewer pool not configured. Add reviewer_pool section to config."));
    }
}
