package dev.holdfast.broker.verb.work;

import dev.holdfast.broker.verb.ClaimJson;
import dev.holdfast.broker.verb.CommonFields;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Limit;
import dev.holdfast.broker.verb.ReservationJson;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.OuterClaim;
import dev.holdfast.claim.Text;
import dev.holdfast.work.Overlap;
import dev.holdfast.work.Reservations;
import dev.holdfast.work.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Path reservations: {@code reserve_paths check_path}. */
record ReservationVerbs(Shapes shapes, Reservations reservations) {
    static final String QUEUE = "the repository; all its working trees share it";

    @Definition(
            name = "reserve_paths",
            effect = VerbEffect.TAKE,
            toolsets = {Toolset.CODER, Toolset.WORK},
            description = """
                    Reserve files before you change them, all or none; a path covers everything below it. Refused with held \
                    and the overlaps if someone else has any of them. Free them with release. With work and \
                    claim_generation it ends with your claim on that item. \
                    Example: {"holder": "claude-3fa91c", "queue": "shop", "paths": ["src/parser", "docs/**/*.md"]}""")
    record ReservePaths(
            @CommonFields.Holder String holder,

            @Field(value = QUEUE, example = "shop") String queue,

            @Field(
                    value = "globs relative to the root: *, ?, [a-z], **",
                    longest = WorkFields.LONGEST_PATH,
                    must = true)
            List<String> paths,

            @Field("others may also reserve them as shared") boolean shared,

            @Field(
                    value = "how long it lasts without a heartbeat; default: that of its kind",
                    min = 1,
                    upTo = Limit.LEASE)
            @Nullable
            Duration ttlSeconds,

            @Field(value = "an item you hold", idOf = Kind.WORK) @Nullable
            String work,

            @WorkFields.Generation @Nullable Long claimGeneration) {}

    @Definition(name = "check_path", effect = VerbEffect.READ, toolsets = Toolset.WORK, description = """
                    Check whether someone else has reserved a path you want to change. If held_by.exclusive is false, you \
                    can still reserve it as shared. \
                    Example: {"holder": "claude-3fa91c", "queue": "shop", "path": "src/parser/Lexer.java"}""")
    record CheckPath(
            @CommonFields.Holder String holder,

            @Field(value = QUEUE, example = "shop") String queue,

            @Field(value = "the path, relative to the root", longest = WorkFields.LONGEST_PATH)
            String path) {}

    record CheckedPath(
            @Field("nobody else has it") boolean free,
            @Field("who holds it") @Nullable ReservationJson heldBy) {}

    List<Verb> verbs() {
        return List.of(
                Verb.of(shapes, ReservePaths.class, ClaimJson.class, this::reserve),
                Verb.of(shapes, CheckPath.class, CheckedPath.class, this::check));
    }

    private ClaimJson reserve(ReservePaths given) {
        return ClaimJson.of(reservations.reserve(
                given.holder(), given.queue(), given.paths(), !given.shared(), given.ttlSeconds(), under(given)));
    }

    private static @Nullable OuterClaim under(ReservePaths given) {
        String id = given.work();
        Long generation = given.claimGeneration();
        if ((id == null) != (generation == null)) {
            throw new InvalidException("give work and claim_generation together, or neither");
        }
        return id == null || generation == null ? null : new OuterClaim(WorkItem.resource(id), generation);
    }

    private CheckedPath check(CheckPath given) {
        Optional<Overlap> overlap = reservations.check(Text.holder(given.holder()), given.queue(), given.path());
        return new CheckedPath(
                overlap.isEmpty(), overlap.map(ReservationJson::of).orElse(null));
    }
}
