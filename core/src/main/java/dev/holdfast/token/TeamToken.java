package dev.holdfast.token;

import dev.holdfast.repository.RepositoryKey;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a token: everything but its secret.
 *
 * @param id the part of the token that anybody may see, such as {@code ab12cd34} of {@code hf_ab12cd34_…}
 * @param name who shows it; the names that it may act under are this one and those below it
 * @param projects the keys of the only projects it is good for; empty: all
 * @param expiresAt null: never
 * @param lastUsedAt to the minute; null: not yet
 */
public record TeamToken(
        String id,
        String name,
        Set<Role> roles,
        List<String> projects,
        Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant expiresAt,
        @Nullable Instant lastUsedAt,
        @Nullable Instant revokedAt) {
    /** Between a token's name and what its holder calls those that work for it. */
    public static final String BELOW = "/";

    public TeamToken {
        roles = Set.copyOf(roles);
        projects = List.copyOf(projects);
    }

    /** Whether it is good for some projects only. */
    public boolean confined() {
        return !projects.isEmpty();
    }

    /** Whether it is good for this project, namespace or queue, however that is written. */
    public boolean covers(String project) {
        return !confined() || projects.contains(RepositoryKey.ofQueue(project));
    }

    /** Whether the name itself says that it is this token's. */
    public boolean names(String actor) {
        return actor.equals(name) || actor.startsWith(name + BELOW);
    }

    public boolean expired(Instant now) {
        return expiresAt != null && !now.isBefore(expiresAt);
    }

    /** The same, revoked. */
    TeamToken revoked(Instant at) {
        return new TeamToken(id, name, roles, projects, createdAt, createdBy, expiresAt, lastUsedAt, at);
    }

    public boolean revoked() {
        return revokedAt != null;
    }
}
