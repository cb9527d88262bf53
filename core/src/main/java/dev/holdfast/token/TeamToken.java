package dev.holdfast.token;

import dev.holdfast.repository.RepositoryKey;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of a token: everything but its secret.
 *
 * @param id the public part of the token, such as {@code ab12cd34} of {@code hf_ab12cd34_…}
 * @param name its holder's name; it may act under this name and those below it
 * @param projects the keys of the only projects it is valid for; empty: all
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
    /** Separates a token's name from the names of those that work for its holder. */
    public static final String BELOW = "/";

    public TeamToken {
        roles = Set.copyOf(roles);
        projects = List.copyOf(projects);
    }

    /** Whether it is valid only for some projects. */
    public boolean confined() {
        return !projects.isEmpty();
    }

    /** Whether it is valid for this project, namespace or queue, in any spelling. */
    public boolean covers(String project) {
        return !confined() || projects.contains(RepositoryKey.ofQueue(project));
    }

    /** Whether the actor's name shows that it belongs to this token. */
    public boolean names(String actor) {
        return actor.equals(name) || actor.startsWith(name + BELOW);
    }

    public boolean expired(Instant now) {
        return expiresAt != null && !now.isBefore(expiresAt);
    }

    /** A revoked copy. */
    TeamToken revoked(Instant at) {
        return new TeamToken(id, name, roles, projects, createdAt, createdBy, expiresAt, lastUsedAt, at);
    }

    public boolean revoked() {
        return revokedAt != null;
    }
}
