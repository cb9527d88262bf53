package dev.holdfast.broker.verb;

import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The kinds that callers may claim, renew and release as {@code kind:id}. A broker's claim on its own identity is not
 * one of them: a caller that released it, or kept a dead broker's alive, would control what its reviewers hold.
 */
public final class ClaimableKinds {
    private ClaimableKinds() {}

    static String words() {
        return Arrays.stream(Kind.values())
                .filter(kind -> kind != Kind.BROKER)
                .map(Kind::toString)
                .collect(Collectors.joining(", "));
    }

    public static Resource parse(String text) {
        Resource resource = Resource.parse(text);
        if (resource.kind() == Kind.BROKER) {
            throw new RefusedException(
                    RefusalCode.FORBIDDEN,
                    resource + " is a broker's own identity; only that broker claims, renews or releases it");
        }
        return resource;
    }
}
