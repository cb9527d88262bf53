package dev.holdfast.broker.auth;

import dev.holdfast.broker.verb.ShortIds;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.review.record.Proposer;
import dev.holdfast.task.Step;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Protects what belongs to a token's holder: the reviews it proposed and the claims it holds. Callers without a token,
 * who may do everything else on the broker's own machine, may not decide about these.
 */
public final class TokenOwnership {
    private static final String GENERATION = "claim_generation";

    private final NameOwnership members;
    private final Function<String, List<Proposer>> proposers;
    private final Claims claims;
    private final ShortIds ids;

    /** @param proposers the proposers of a review's rounds */
    public TokenOwnership(
            NameOwnership members, Function<String, List<Proposer>> proposers, Claims claims, ShortIds ids) {
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
        } else if (verb.overrules() || isByGenerationAlone(verb, arguments)) {
            for (String thing : ReferencedIds.of(verb, ids.whole(verb, arguments))) {
                heldWith(verb, thing).ifPresent(token -> {
                    throw refused(verb, thing + " is held", token);
                });
            }
        }
    }

    /** Whether it acts on a claim without saying whose. A generation is no secret: anybody can guess it. */
    private static boolean isByGenerationAlone(Verb verb, ObjectNode given) {
        boolean ofAClaim =
                verb.arguments().stream().anyMatch(field -> field.name().equals(GENERATION));
        boolean named = verb.actors().stream()
                .anyMatch(actor -> !given.path(actor).asString("").isBlank());
        return ofAClaim && !named && (verb.effect().destructive() || given.hasNonNull(GENERATION));
    }

    private Optional<String> proposedWith(String review) {
        return review.isBlank()
                ? Optional.empty()
                : proposers.apply(review).stream()
                        .flatMap(proposer -> proposer.kin().stream())
                        .flatMap(name -> members.of(name).stream())
                        .findFirst();
    }

    private Optional<String> heldWith(Verb verb, String thing) {
        return ReferencedIds.resource(thing).stream()
                .flatMap(resource -> holders(verb, resource))
                .flatMap(holder -> members.of(holder).stream())
                .findFirst();
    }

    private Stream<String> holders(Verb verb, Resource resource) {
        Stream<String> ofTheSteps = verb.overrules() && resource.kind() == Kind.FINALIZATION
                ? claims.holdersBeginning(new Resource(Kind.STEP, Step.id(resource.id(), ""))).stream()
                : Stream.empty();
        return Stream.concat(claims.holder(resource).stream(), ofTheSteps);
    }

    private static RefusedException refused(Verb verb, String what, String token) {
        return new RefusedException(
                RefusalCode.UNAUTHORIZED,
                what + " with the token " + token + "; only callers with that token, or an admin's, may " + verb.name()
                        + " it");
    }
}
