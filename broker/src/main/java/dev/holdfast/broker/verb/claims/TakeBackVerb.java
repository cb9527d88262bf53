package dev.holdfast.broker.verb.claims;

import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.CommonFields;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.PeopleOnly;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.claim.Text;
import java.util.Optional;

/** Taking a claim back from a holder that is stuck: {@code take_back}. */
public record TakeBackVerb(Shapes shapes, Claims claims, Meters meters) {
    @Definition(name = "take_back", effect = VerbEffect.END, forPeople = true, overrules = true, description = """
                    Take a claim from a holder that is stuck, so that others can have it. For people: it needs a name and a \
                    reason, which the holder sees and the audit log keeps. Refused if that generation is no longer current. \
                    Example: {"resource": "work:hf-3k9x", "claim_generation": 3, "by": "ann", "reason": "its machine is off"}""")
    record TakeBack(
            @Field(value = "what is held, as kind:id", longest = CommonFields.LONGEST_RESOURCE, example = "key:deploy")
            String resource,

            @Field("the generation of the claim") long claimGeneration,

            @Field(value = "who takes it back", actor = true)
            String by,

            @Field(value = "why", longest = Text.LONGEST_NOTE)
            String reason) {}

    record TakenBack(
            @Field("it is free") boolean takenBack,
            @Field("from whom") String holder) {}

    public Verb verb() {
        return Verb.of(shapes, TakeBack.class, TakenBack.class, this::takeBack);
    }

    private TakenBack takeBack(TakeBack given, Call call) {
        PeopleOnly.by(call, "taking a claim from its holder is");
        Resource resource = Resource.parse(given.resource());
        if (resource.kind() == Kind.BROKER) {
            throw new InvalidException("a broker's own identity cannot be taken back; stop that broker instead");
        }
        if (given.reason().isBlank()) {
            throw new InvalidException("reason must not be empty: say why");
        }
        Optional<String> holder =
                claims.takeBack(resource, given.claimGeneration(), Text.holder(given.by()), given.reason());
        if (holder.isEmpty()) {
            throw new RefusedException(
                    RefusalCode.STALE,
                    resource + " is no longer held at generation " + given.claimGeneration() + "; check again");
        }
        meters.reclaimed(resource, "by_hand");
        return new TakenBack(true, holder.get());
    }
}
