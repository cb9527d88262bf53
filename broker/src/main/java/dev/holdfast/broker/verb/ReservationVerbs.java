package dev.holdfast.broker.verb;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import dev.holdfast.claim.Under;
import dev.holdfast.work.Overlap;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkItems;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Files that are about to be changed: {@code reserve_paths check_path}. */
final class ReservationVerbs {
    private static final Field QUEUE = WorkFields.word("queue", "the repository; all its working trees share it")
            .must()
            .example("shop");

    static final List<Field> OVERLAP = List.of(
            Field.text("resource", ClaimVerbs.LONGEST_RESOURCE, "the reservation")
                    .must(),
            Field.text("holder", Text.LONGEST_HOLDER, "whose it is").must(),
            Field.texts("paths", 1_000, "what it covers").must(),
            Field.flag("exclusive", "nobody else may have them").must(),
            Field.time("expires_at", "until when, unless extended").must());

    private final WorkItems work;
    private final Field ttl;

    ReservationVerbs(WorkItems work, Claims claims) {
        this.work = work;
        ttl = Field.integer(
                "ttl_seconds",
                1L,
                claims.leases().longest().toSeconds(),
                "how long it lasts without a heartbeat; default: that of its kind");
    }

    List<Verb> verbs() {
        return List.of(
                new Verb(
                        "reserve_paths",
                        """
                        Reserve files before you change them, all or none; a path covers everything below it. Refused with held \
                        and the overlaps if someone else has any of them. Free them with release. With work and \
                        claim_generation it ends with your claim on that item. \
                        Example: {"holder": "claude-3fa91c", "queue": "shop", "paths": ["src/parser", "docs/**/*.md"]}""",
                        List.of(
                                ClaimVerbs.HOLDER,
                                QUEUE,
                                Field.texts("paths", 1_000, "globs relative to the root: *, ?, [a-z], **")
                                        .must(),
                                Field.flag("shared", "others may also reserve them as shared"),
                                ttl,
                                WorkFields.word("work", "an item you hold"),
                                WorkFields.GENERATION),
                        ClaimJson.CLAIM,
                        Verb.Nature.TAKE,
                        this::reserve),
                new Verb(
                        "check_path",
                        """
                        Check whether someone else has reserved a path you want to change. \
                        Example: {"holder": "claude-3fa91c", "queue": "shop", "path": "src/parser/Lexer.java"}""",
                        List.of(
                                ClaimVerbs.HOLDER,
                                QUEUE,
                                Field.text("path", 1_000, "the path, relative to the root")
                                        .must()),
                        List.of(
                                Field.flag("free", "nobody else has it").must(),
                                Field.object("held_by", "whose it is", OVERLAP)),
                        Verb.Nature.READ,
                        this::check));
    }

    private Answer reserve(Arguments given) {
        Long seconds = given.numberOrNull("ttl_seconds");
        Claim claim = work.reservations()
                .reserve(
                        given.text("holder"),
                        given.text("queue"),
                        List.copyOf(given.texts("paths")),
                        !given.flag("shared"),
                        seconds == null ? null : Duration.ofSeconds(seconds),
                        under(given));
        return Answer.of(ClaimJson.claim(claim));
    }

    private static @Nullable Under under(Arguments given) {
        String id = given.textOrNull("work");
        Long generation = given.numberOrNull("claim_generation");
        if ((id == null) != (generation == null)) {
            throw new InvalidException("give work and claim_generation together, or neither");
        }
        return id == null || generation == null ? null : new Under(WorkItem.resource(id), generation);
    }

    private Answer check(Arguments given) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        var overlap =
                work.reservations().check(Text.holder(given.text("holder")), given.text("queue"), given.text("path"));
        json.put("free", overlap.isEmpty());
        overlap.ifPresent(held -> json.put("held_by", told(held)));
        return Answer.of(json);
    }

    static Map<String, @Nullable Object> told(Overlap overlap) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("resource", "reservation:" + overlap.reservation());
        json.put("holder", overlap.holder());
        json.put("paths", overlap.paths());
        json.put("exclusive", overlap.exclusive());
        json.put("expires_at", ClaimJson.time(overlap.expiresAt()));
        return json;
    }
}
