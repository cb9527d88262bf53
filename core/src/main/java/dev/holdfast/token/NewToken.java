package dev.holdfast.token;

import dev.holdfast.agent.ReservedNames;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.repository.RepositoryKey;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A token to create.
 *
 * @param projects empty: valid for all
 * @param expiresAt null: never
 * @param by who creates it; null: unknown
 */
public record NewToken(
        String name,
        Set<Role> roles,
        List<String> projects,
        @Nullable Instant expiresAt,
        @Nullable String by) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,59}");
    /** A token can be referred to by name or id, so a name must not look like an id. */
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}");

    public NewToken {
        if (!NAME.matcher(name).matches() || ID.matcher(name).matches() || name.equals("unknown")) {
            throw new InvalidException(
                    "a token's name is 1 to 60 letters, digits, dots, dashes and underscores, such as"
                            + " ann or build-7");
        }
        ReservedNames.check(name);
        if (roles.isEmpty()) {
            throw new InvalidException("a token needs at least one role");
        }
        roles = Set.copyOf(roles);
        projects = projects.stream().map(NewToken::key).distinct().sorted().toList();
        if (!projects.isEmpty() && roles.contains(Role.ADMIN)) {
            throw new InvalidException(
                    "an admin is not limited to projects; leave the projects out, or choose other roles");
        }
    }

    private static String key(String project) {
        String key = RepositoryKey.ofQueue(project);
        if (key.isEmpty()) {
            throw new InvalidException("a project's name is empty");
        }
        return key;
    }
}
