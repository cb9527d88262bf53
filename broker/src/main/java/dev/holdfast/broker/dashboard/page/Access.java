package dev.holdfast.broker.dashboard.page;

import dev.holdfast.broker.auth.Permissions;
import dev.holdfast.broker.auth.SignIn;
import dev.holdfast.broker.auth.TokenGuard;
import dev.holdfast.token.Role;
import io.javalin.http.Context;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What whoever looks may do.
 *
 * @param named a token says who it is
 * @param roles of that token; null: whoever has none may do everything
 * @param signedIn a browser that has signed in
 */
public record Access(boolean named, @Nullable Set<Role> roles, boolean signedIn) {
    public static Access of(Context request) {
        return new Access(
                request.attribute(TokenGuard.NAME) != null,
                request.attribute(TokenGuard.ROLES),
                SignIn.kept(request).isPresent());
    }

    /** Looks, and changes nothing. */
    public boolean viewer() {
        return roles != null && roles.equals(Set.of(Role.VIEWER));
    }

    /** The roles, for people. */
    public String words() {
        return roles == null ? "" : roles.stream().sorted().map(Role::toString).collect(Collectors.joining(", "));
    }

    /** What it may not do is on no page; and if it is asked for all the same, it is refused like everybody's. */
    public boolean may(String verb) {
        return roles == null || Permissions.allow(roles, verb);
    }
}
