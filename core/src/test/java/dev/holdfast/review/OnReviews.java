package dev.holdfast.review;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.LockedClaim;
import dev.holdfast.event.Event;
import dev.holdfast.review.approval.ReviewerRules;
import dev.holdfast.review.discussion.Message;
import dev.holdfast.review.pool.LiveReviewers;
import dev.holdfast.review.pool.PoolReviewers;
import dev.holdfast.review.queue.RequireFence;
import dev.holdfast.review.queue.ReviewClaims.Granted;
import dev.holdfast.review.reading.ProposalReader;
import dev.holdfast.review.record.DiffCheck;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.review.record.Reviewers;
import dev.holdfast.review.verdict.Verdicts;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import dev.holdfast.testing.OnSettableStore;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reviews on an empty store, and what tests do with them again and again. */
abstract class OnReviews extends OnSettableStore {
    final Map<String, Reviewers.Managed> managed = new ConcurrentHashMap<>(); // also asked by the thread of the tail
    final Set<String> comingBack = new HashSet<>();
    final Map<String, String> badDiffs = new HashMap<>();
    ReviewerRules rules = ReviewerRules.DEFAULT;
    Reviews reviews;

    OnReviews(Engine engine) {
        super(engine);
        reviews = reviews(RequireFence.ALWAYS);
    }

    @BeforeEach
    void empty() {
        on.empty();
        managed.clear();
        comingBack.clear();
        badDiffs.clear();
        rules = ReviewerRules.DEFAULT;
        claims = Claims.over(on.store());
        reviews = reviews(RequireFence.ALWAYS);
    }

    @AfterEach
    void closeClaims() {
        reviews.close();
        claims.close();
    }

    final Reviews reviews(RequireFence require) {
        return reviews(require, require == RequireFence.ALWAYS);
    }

    final Reviews reviews(RequireFence require, boolean requireReading) {
        Reviewers known = new Reviewers() {
            @Override
            public Optional<Managed> managed(Transaction transaction, String reviewer) {
                return Optional.ofNullable(managed.get(reviewer));
            }

            @Override
            public boolean comesBack(Transaction transaction, String reviewer) {
                return comingBack.contains(reviewer);
            }
        };
        return new Reviews(
                on.store(),
                claims,
                require,
                requireReading,
                rules,
                known,
                asked -> finding(asked.diff()),
                ReviewLimits.DEFAULT,
                () -> UUID.randomUUID().toString());
    }

    /** With the register of a pool's reviewers. */
    final Reviews reviewsOf(PoolReviewers pool) {
        return new Reviews(
                on.store(),
                claims,
                RequireFence.ALWAYS,
                new LiveReviewers(pool, Kind.REVIEW.lease()),
                DiffCheck.NONE,
                ReviewLimits.DEFAULT,
                () -> UUID.randomUUID().toString());
    }

    private DiffCheck.Finding finding(String diff) {
        String bad = badDiffs.get(diff);
        if (bad == null) {
            return new DiffCheck.Fits();
        }
        return bad.startsWith("error")
                ? new DiffCheck.Conflicts(bad)
                : new DiffCheck.Unknown(bad, !bad.startsWith("not checked"));
    }

    static Proposal proposal() {
        return Proposal.of("add a cache", "gsd-executor", "proposer", "7").project("Web Shop");
    }

    String create() {
        return reviews.proposals().create(proposal()).id();
    }

    Granted claim(String id, String reviewer) {
        return (Granted) reviews.claiming().claim(id, reviewer, null, null);
    }

    /** As reviewers do: claims it, and reads all of it. */
    Granted claimAndRead(String id, String reviewer) {
        Granted granted = claim(id, reviewer);
        read(id, reviewer);
        return granted;
    }

    /** Reads all that is up for review, as whoever holds it does before it approves. */
    ProposalReader.Shown read(String id, String reader) {
        ProposalReader.Shown shown = reviews.reading().proposal(id, null).orElseThrow();
        reviews.receipts().served(shown, reader);
        return shown;
    }

    Verdicts.Submitted verdict(
            String id, String verdict, @Nullable String reason, @Nullable String who, @Nullable Long gen) {
        return submit(id, Verdicts.Submission.of(verdict, reason, new Fence(who, gen)));
    }

    Verdicts.Submitted submit(String id, Verdicts.Submission given) {
        return reviews.verdicts().submit(id, given, Caller.UNKNOWN);
    }

    Review revise(String id, Proposal given) {
        return reviews.proposals().next(id, given, Caller.UNKNOWN).review();
    }

    Review withdraw(String id, String reason) {
        return reviews.proposals().withdraw(id, reason, Caller.UNKNOWN);
    }

    Message addMessage(String id, String role, String body, @Nullable String metadata) {
        return reviews.discussion().add(id, role, body, metadata, Caller.UNKNOWN);
    }

    void acceptCounterPatch(String id) {
        reviews.counterPatches().accept(id, null, Caller.UNKNOWN, false);
    }

    Review shown(String id) {
        return reviews.catalogue().find(id).orElseThrow();
    }

    LockedClaim standing(String id) {
        return on.store()
                .write(transaction -> claims.transactional().lock(transaction, Review.resource(id)))
                .orElseThrow();
    }

    /** As a store has it that was made before revisions knew their lines. */
    void madeBeforePlaces(String id) {
        on.store().write(transaction -> {
            transaction.update(
                    Sql.of("UPDATE revisions SET revision = wherever, bases = NULL WHERE review_id = :id"),
                    p -> p.text("id", id));
            return transaction.update(
                    Sql.of("UPDATE reviews SET revision = (SELECT x.revision FROM revisions x WHERE x.review_id = :id)"
                            + " WHERE id = :id"),
                    p -> p.text("id", id));
        });
    }

    List<Event> events(String id) {
        return claims.tail().after(0, "review:" + id, 100);
    }

    List<String> eventTypes(String id) {
        return events(id).stream().map(Event::type).toList();
    }

    static JsonNode detail(Event event) {
        return JsonMapper.shared().readTree(String.valueOf(event.detail()));
    }
}
