package dev.holdfast.broker.auth;

import dev.holdfast.broker.verb.ShortIds;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.review.record.Proposer;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Protects what belongs to a token's holder: the reviews it proposed and the claims it holds. Callers without a token,
 * who may do everything else on the broker's own machine, may not decide about these.
 */
public final class TokenOwnership {
    private final Membership members;
    private final Function<String, List<Proposer>> proposers;
    private final Claims claims;
    private final ShortIds ids;

    /** @param proposers the proposers of a review's rounds */
    public TokenOwnership(Membership members, Function<String, List<Proposer>> proposers, Claims claims, ShortIds ids) {
        this.members = members;
        this.proposers = proposers;
        this.claims = claims;
        this.ids = ids;
    }

    /** @throws RefusedException when a call without a token concerns what belongs to a token's holder */
    void checkNobodys(Verb verb, JsonNode given) {
        if (!(given instanceof ObjectNode arguments) || !members.any()) {
            return;
        }
        if (TeamCalls.isOfTheProposer(verb, arguments)) {
            String review = ids.whole(verb, arguments).path("review_id").asString("");
            proposedWith(review).ifPresent(token -> {
                throw refused(verb, "review " + review + " was proposed", token);
            });
        } else if (verb.name().equals("submit_verdict")
                && arguments.path("reviewer_id").asString("").isBlank()) {
            String review =
                    "review:" + ids.whole(verb, arguments).path("review_id").asString("");
            heldWith(review).ifPresent(token -> {
                throw refused(verb, review + " is held", token);
            });
        } else if (verb.name().equals("take_back")) {
            String held = ids.whole(verb, arguments).path("resource").asString("");
            heldWith(held).ifPresent(token -> {
                throw refused(verb, held + " is held", token);
            });
        }
    }

    private Optional<String> proposedWith(String review) {
        return review.isBlank()
                ? Optional.empty()
                : proposers.apply(review).stream()
                        .flatMap(proposer -> proposer.kin().stream())
                        .flatMap(name -> members.of(name).stream())
                        .findFirst();
    }

    private Optional<String> heldWith(String held) {
        Optional<Kind> kind = Kind.of(held.split(":", 2)[0]);
        return kind.isEmpty() || !held.contains(":")
                ? Optional.empty()
                : claims.held(kind.get(), null, null).stream()
                        .filter(claim -> claim.resource().equals(new Resource(kind.get(), held.split(":", 2)[1])))
                        .map(Claim::holder)
                        .flatMap(holder -> members.of(holder).stream())
                        .findFirst();
    }

    private static RefusedException refused(Verb verb, String what, String token) {
        return new RefusedException(
                RefusalCode.UNAUTHORIZED,
                what + " with the token " + token + "; only callers with that token, or an admin's, may " + verb.name()
                        + " it");
    }
}
