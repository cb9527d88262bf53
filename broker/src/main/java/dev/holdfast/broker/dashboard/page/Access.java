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
 * What the visitor may do.
 *
 * @param named a token says who the visitor is
 * @param roles the roles of that token; null: there is no token, and everything is allowed
 * @param signedIn the browser has signed in
 */
public record Access(boolean named, @Nullable Set<Role> roles, boolean signedIn) {
    public static Access of(Context request) {
        return new Access(
                request.attribute(TokenGuard.NAME) != null,
                request.attribute(TokenGuard.ROLES),
                SignIn.kept(request).isPresent());
    }

    /** May look, but change nothing. */
    public boolean viewer() {
        return roles != null && roles.equals(Set.of(Role.VIEWER));
    }

    /** The roles, in words. */
    public String words() {
        return roles == null ? "" : roles.stream().sorted().map(Role::toString).collect(Collectors.joining(", "));
    }

    /** Pages leave out what the visitor may not do; if it is requested anyway, it is refused as for everybody else. */
    public boolean may(String verb) {
        return roles == null || Permissions.allow(roles, verb);
    }
}
