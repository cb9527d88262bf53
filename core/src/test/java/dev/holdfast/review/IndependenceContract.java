package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.agent.Agents;
import dev.holdfast.agent.Caller;
import dev.holdfast.agent.SessionStart;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Refusal;
import dev.holdfast.review.approval.Approvals;
import dev.holdfast.review.approval.ReviewerRules;
import dev.holdfast.review.diff.Side;
import dev.holdfast.review.finding.Remarks;
import dev.holdfast.review.finding.Severity;
import dev.holdfast.review.pool.PoolReviewers;
import dev.holdfast.review.queue.NextReview;
import dev.holdfast.review.queue.RequireFence;
import dev.holdfast.review.queue.ReviewClaims.Granted;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.Proposer;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.verdict.Verdicts;
import dev.holdfast.store.Engine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody else judges than who proposed, as far as it is known who they are. */
abstract class IndependenceContract extends OnReviews {
    private Agents agents;

    IndependenceContract(Engine engine) {
        super(engine);
    }

    @BeforeEach
    void agents() {
        agents = new Agents(on.store(), claims);
    }

    @Test
    void who_proposed_a_review_can_neither_claim_nor_judge_it_under_any_name() {
        String claude = session("s-1", "claude", null);
        String id = propose(inSession(claude));
        for (String name : List.of(claude, "bob", "reviewer-1")) {
            assertRefused(() -> claimAs(id, name, inSession(claude)), "forbidden", claude + " proposed it");
        }
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.PENDING);
        assertThat(eventTypes(id)).containsExactly("review_created");

        long generation = claimAs(id, "bob", Caller.UNKNOWN).claim().generation();
        for (String verdict : List.of("approved", "changes_requested")) {
            assertRefused(
                    () -> verdictAs(id, verdict, "bob", generation, Remarks.NONE, inSession(claude)),
                    "forbidden",
                    "Let another session, the pool or a person");
        }
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.CLAIMED);
        verdictAs(id, "approved", "bob", generation, Remarks.NONE, Caller.UNKNOWN);
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.APPROVED);
    }

    @Test
    void another_agent_neither_ends_a_review_nor_speaks_for_its_proposer_and_a_person_may() {
        String claude = session("s-1", "claude", null);
        Caller other = inSession(session("s-2", "codex", null));
        Caller person = inSession(session("s-3", "person", null));
        String id = propose(inSession(claude));
        long generation = claimAs(id, "bob", Caller.named("bob")).claim().generation();
        for (Caller stranger : List.of(other, Caller.named("zed"), Caller.named("bob"))) {
            assertRefused(
                    () -> reviews.proposals().withdraw(id, "not needed", stranger),
                    "forbidden",
                    claude + " proposed it, and you are ");
            assertRefused(
                    () -> reviews.discussion().add(id, "proposer", "done", null, stranger),
                    "forbidden",
                    "You can't write as its proposer");
        }
        reviews.discussion().add(id, "proposer", "please look", null, inSession(claude));
        verdictAs(id, "approved", "bob", generation, Remarks.NONE, Caller.named("bob"));
        assertRefused(
                () -> reviews.proposals().close(id, "proposer", Caller.named("bob")),
                "forbidden",
                "You can't close this review");
        assertThat(shown(id).status()).isEqualTo(ReviewStatus.APPROVED);
        assertThat(reviews.proposals().close(id, "proposer", inSession(claude)).status())
                .isEqualTo(ReviewStatus.CLOSED);

        String another = propose(inSession(claude));
        assertThat(reviews.proposals().withdraw(another, "not needed", person).status())
                .isEqualTo(ReviewStatus.WITHDRAWN);
        String unknown = propose(Caller.UNKNOWN);
        assertThat(reviews.proposals().withdraw(unknown, "not needed", other).status())
                .isEqualTo(ReviewStatus.WITHDRAWN);
    }

    @Test
    void the_same_declared_name_is_the_same_and_a_caller_that_says_nothing_is_nobody() {
        String named = propose(Caller.named("ann"));
        assertRefused(
                () -> claimAs(named, "ann", Caller.UNKNOWN),
                "forbidden",
                "ann proposed it, and you are using the same name");
        release(claimAs(named, "bob", Caller.named("ann"))); // whatever its shell is set to, it says that it is bob
        claimAs(named, "bob", Caller.UNKNOWN);
        claimAs(propose(Caller.UNKNOWN), "ann", Caller.named("ann"));
    }

    @Test
    void a_session_and_whatever_started_it_or_was_started_by_it_are_one_but_a_person_is_not() {
        session("p", "person", null, "ann");
        String root = session("s-1", "claude", "ann");
        String child = session("s-1/a", "claude", root);
        String sibling = session("s-1/b", "claude", root);
        String grandchild = session("s-2", "codex", child);
        String other = session("s-3", "claude", "ann");
        String id = propose(inSession(child));
        for (String kin : List.of(root, child, sibling, grandchild)) {
            assertRefused(() -> claimAs(id, kin, Caller.UNKNOWN), "forbidden", child + " proposed it");
            assertRefused(() -> claimAs(id, "bob", inSession(kin)), "forbidden", child + " proposed it");
        }
        release(claimAs(id, "ann", Caller.UNKNOWN));
        release(claimAs(id, other, inSession(other)));
        assertRefused(() -> claimAs(propose(inSession(root)), grandchild, Caller.UNKNOWN), "forbidden", root);
    }

    @Test
    void of_several_sessions_in_one_process_all_count() {
        String one = session("s-1", "codex", null);
        String two = session("s-2", "codex", null);
        Caller daemon = new Caller(Caller.Known.SESSION, null, List.of(one, two), "codex", null);
        String id = propose(daemon);
        assertRefused(() -> claimAs(id, one, Caller.UNKNOWN), "forbidden", "one of " + one + ", " + two);
        assertRefused(() -> claimAs(id, two, Caller.UNKNOWN), "forbidden", "proposed it");
        assertRefused(() -> claimAs(propose(inSession(two)), "bob", daemon), "forbidden", two + " proposed it");
        assertRefused(() -> claimAs(propose(daemon.saying(one)), "bob", inSession(two)), "forbidden", one);
    }

    @Test
    void every_proposer_of_a_review_counts_whichever_round_it_handed_in() {
        String id = propose(Caller.named("ann"));
        long generation = claimAs(id, "carl", Caller.UNKNOWN).claim().generation();
        verdictAs(id, "changes_requested", "carl", generation, Remarks.NONE, Caller.UNKNOWN);
        reviews.proposals().next(id, proposal(), Caller.named("bob"));
        assertRefused(() -> claimAs(id, "ann", Caller.UNKNOWN), "forbidden", "ann proposed it");
        assertRefused(() -> claimAs(id, "bob", Caller.UNKNOWN), "forbidden", "bob proposed it");
        assertThat(next("ann", Caller.UNKNOWN)).isEmpty();
        assertThat(next("bob", Caller.UNKNOWN)).isEmpty();
        assertThat(next("carl", Caller.UNKNOWN)).contains(id);
        assertThat(shown(id).proposer())
                .satisfies(proposer ->
                        assertThat(proposer == null ? null : proposer.agent()).isEqualTo("bob"));
    }

    @Test
    void the_next_one_is_the_next_that_it_may_judge() {
        String claude = session("s-1", "claude", null);
        String own = propose(inSession(claude));
        String others = propose(Caller.named("ann"));
        assertThat(next("bob", inSession(claude))).contains(others);
        assertThat(next("carl", inSession(claude))).isEmpty();
        NextReview.Request again = new NextReview.Request("carl", null, null, null, null, Duration.ZERO);
        assertThat(reviews.next().whyNot(again, inSession(claude)))
                .hasValueSatisfying(why -> assertThat(why).contains(own, claude + " proposed it"));
        assertThat(reviews.next().whyNot(again, Caller.UNKNOWN)).isEmpty();
        assertThat(reviews.kindClaims(inSession(claude)).claimNext(NextRequest.of(Kind.REVIEW, "dan")))
                .isInstanceOf(ClaimOutcome.Nothing.class);
        assertThat(reviews.kindClaims(inSession(claude)).claim(ClaimRequest.of(Review.resource(own), "dan")))
                .isInstanceOfSatisfying(
                        Refusal.ByItsRules.class,
                        refused -> assertThat(refused.code()).hasToString("forbidden"));
        assertThat(eventTypes(own)).containsExactly("review_created");
        assertThat(next("carl", Caller.UNKNOWN)).contains(own);
    }

    @Test
    void who_waits_for_something_to_review_is_not_given_its_own() {
        String claude = session("s-1", "claude", null);
        CompletableFuture<Optional<Granted>> own = waiting("r-1", inSession(claude));
        await().until(() -> claims.waiting(Kind.REVIEW) == 1);
        CompletableFuture<Optional<Granted>> other = waiting("r-2", Caller.UNKNOWN);
        await().until(() -> claims.waiting(Kind.REVIEW) == 2);
        String id = propose(inSession(claude));
        assertThat(other.join().map(granted -> granted.review().id())).contains(id);
        String theirs = propose(Caller.named("ann"));
        assertThat(own.join().map(granted -> granted.review().id())).contains(theirs);
    }

    @Test
    void a_proposer_may_comment_but_not_settle_findings_or_suggest_changes_to_itself() {
        String claude = session("s-1", "claude", null);
        String id = reviews.proposals()
                .create(proposal().diff(LifecycleContract.DIFF), inSession(claude))
                .id();
        long generation = claimAs(id, "bob", Caller.UNKNOWN).claim().generation();
        Remarks finding = new Remarks(
                List.of(new Remarks.Raised("x", Side.NEW, 1, Severity.MUST_FIX, "no", null)), Set.of(), List.of());
        verdictAs(id, "comment", "bob", generation, finding, Caller.UNKNOWN);
        Remarks waiver = new Remarks(List.of(), Set.of(), List.of(new Remarks.Waiver("f1", "fine")));
        Remarks resolved = new Remarks(List.of(), Set.of("f1"), List.of());
        for (Remarks settling : List.of(waiver, resolved)) {
            assertRefused(
                    () -> verdictAs(id, "comment", "bob", generation, settling, inSession(claude)),
                    "forbidden",
                    claude + " proposed it");
        }
        assertRefused(
                () -> reviews.verdicts()
                        .submit(
                                id,
                                Verdicts.Submission.of("comment", "rather so", Fence.of("bob", generation))
                                        .counterPatch(LifecycleContract.OTHER),
                                inSession(claude)),
                "forbidden",
                "suggest changes");
        assertThat(shown(id).blockingFindings()).isEqualTo(1);
        verdictAs(id, "comment", "bob", generation, Remarks.NONE, inSession(claude));
        addMessage(id, "proposer", "it is fine", null);
    }

    @Test
    void who_suggested_a_counter_patch_does_not_accept_it_in_the_proposers_place() {
        String codex = session("s-1", "codex", null);
        String id = reviews.proposals()
                .create(proposal().diff(LifecycleContract.DIFF), Caller.named("ann"))
                .id();
        long generation = claimAs(id, "bob", inSession(codex)).claim().generation();
        reviews.verdicts()
                .submit(
                        id,
                        Verdicts.Submission.of("comment", "rather so", Fence.of("bob", generation))
                                .counterPatch(LifecycleContract.OTHER),
                        inSession(codex));
        assertRefused(
                () -> reviews.counterPatches().accept(id, null, inSession(codex), false),
                "forbidden",
                "bob suggested it");
        assertRefused(
                () -> reviews.counterPatches().accept(id, null, Caller.named("bob"), false),
                "forbidden",
                "Its proposer decides");
        reviews.counterPatches().accept(id, null, Caller.named("ann"), false);
    }

    @Test
    void the_gate_is_opened_by_a_person_who_did_not_propose_the_content() {
        String claude = session("s-1", "claude", null);
        session("p", "person", null, "ann");
        String id = reviews.proposals()
                .create(proposal().diff(LifecycleContract.DIFF), Caller.named("dan"))
                .id();
        Approvals approvals = reviews.approvals();
        assertRefused(
                () -> approvals.overrideDiff("Web Shop", LifecycleContract.DIFF, "dan", "hurry", Caller.UNKNOWN),
                "forbidden",
                "dan proposed it");
        for (String diff : List.of(LifecycleContract.DIFF, LifecycleContract.OTHER)) {
            assertRefused(
                    () -> approvals.overrideDiff("Web Shop", diff, "ann", "hurry", inSession(claude)),
                    "forbidden",
                    "a person's decision");
        }
        assertThat(approvals
                        .overrideDiff("Web Shop", LifecycleContract.OTHER, "ann", "hurry", person("ann"))
                        .knownBy())
                .isEqualTo("session");
        withdraw(id, "it can't wait");
        assertThat(approvals
                        .overrideDiff("Web Shop", LifecycleContract.DIFF, "dan", "hurry", Caller.UNKNOWN)
                        .by())
                .isEqualTo("dan");
    }

    @Test
    void what_is_known_of_proposer_and_reviewer_is_kept() {
        String claude = session("s-1", "claude", null);
        String id = propose(inSession(claude));
        assertThat(shown(id).proposer())
                .isEqualTo(new Proposer(1, claude, Caller.Known.SESSION, "claude", Set.of(claude)));
        long generation = claimAs(id, "codex-r1-0a1b2c3d", pool()).claim().generation();
        verdictAs(id, "approved", "codex-r1-0a1b2c3d", generation, Remarks.NONE, pool());
        assertThat(detail(events(id).getFirst()).at("/metadata/proposer").asString())
                .isEqualTo(claude);
        assertThat(detail(events(id).getLast()).at("/metadata/known_by").asString())
                .isEqualTo("token");
        Approvals.Decision.Approved approved = (Approvals.Decision.Approved)
                reviews.approvals().checkRevision("Web Shop", shown(id).revision());
        assertThat(approved.knownBy()).isEqualTo("token");
        assertThat(approved.engine()).isEqualTo("codex");
    }

    @Test
    void where_only_known_reviewers_count_a_name_is_not_enough() {
        use(new ReviewerRules(true, false));
        String claude = session("s-1", "claude", null);
        String id = propose(Caller.UNKNOWN);
        for (Caller unknown : List.of(Caller.UNKNOWN, Caller.named("bob"), Caller.named(claude))) {
            assertRefused(() -> claimAs(id, "bob", unknown), "forbidden", "nothing identifies");
            assertRefused(() -> next("bob", unknown), "forbidden", "nothing identifies");
            assertRefused(
                    () -> reviews.approvals().overrideDiff(null, LifecycleContract.DIFF, "bob", "hurry", unknown),
                    "forbidden",
                    "nothing identifies");
        }
        long generation = claimAs(id, "bob", inSession(claude)).claim().generation();
        assertRefused(
                () -> verdictAs(id, "approved", "bob", generation, Remarks.NONE, Caller.named("bob")),
                "forbidden",
                "nothing identifies bob");
        verdictAs(id, "approved", "bob", generation, Remarks.NONE, inSession(claude));
        assertThat(next("codex-r1-0a1b2c3d", pool())).isEmpty();
    }

    @Test
    void where_another_make_is_asked_for_a_model_does_not_judge_its_like() {
        use(new ReviewerRules(false, true));
        session("p", "person", null, "ann");
        String claude = session("s-1", "claude", null);
        String another = session("s-2", "claude-code", null);
        String codex = session("s-3", "codex", null);
        String id = propose(inSession(claude));
        assertRefused(() -> claimAs(id, another, inSession(another)), "forbidden", "uses the same engine (claude)");
        assertRefused(() -> claimAs(id, "bob", Caller.UNKNOWN), "forbidden", "the engine of bob is unknown");
        assertThat(next(another, inSession(another))).isEmpty();
        release(claimAs(id, codex, inSession(codex)));
        release(claimAs(id, "ann", person("ann")));
        assertThat(next("codex-r1-0a1b2c3d", pool())).contains(id);

        String byPerson = propose(person("ann"));
        session("p-2", "person", null, "ben");
        release(claimAs(byPerson, "ben", person("ben")));
        String byType = reviews.proposals()
                .create(Proposal.of("x", "claude-opus", "proposer", "1"))
                .id();
        assertRefused(() -> claimAs(byType, claude, inSession(claude)), "forbidden", "same engine");
    }

    @Test
    void reviewers_of_the_pool_are_not_started_for_what_they_may_not_judge() {
        PoolReviewers pool = new PoolReviewers(on.store(), claims.events(), null, _ -> "", "claude");
        propose(inSession(session("s-1", "claude", null)));
        assertThat(pool.situation().pending()).isEmpty();
        propose(inSession(session("s-2", "codex", null)));
        assertThat(pool.situation().pending())
                .singleElement()
                .satisfies(pending -> assertThat(pending.count()).isEqualTo(1));
    }

    private CompletableFuture<Optional<Granted>> waiting(String reviewer, Caller caller) {
        NextReview.Request asked = new NextReview.Request(reviewer, null, null, null, null, Duration.ofSeconds(30));
        return CompletableFuture.supplyAsync(() -> reviews.next().claim(asked, caller), Thread::startVirtualThread);
    }

    private void use(ReviewerRules asked) {
        rules = asked;
        reviews.close();
        reviews = reviews(RequireFence.ALWAYS);
    }

    private String session(String session, String kind, @Nullable String parent) {
        return session(session, kind, parent, null);
    }

    private String session(String session, String kind, @Nullable String parent, @Nullable String name) {
        return agents.start(new SessionStart(session, kind, name, parent, null, null, null, null))
                .id();
    }

    private static Caller inSession(String agent) {
        return new Caller(
                Caller.Known.SESSION, agent, List.of(agent), agent.substring(0, agent.lastIndexOf('-')), "1 1 here");
    }

    private static Caller person(String name) {
        return new Caller(Caller.Known.SESSION, name, List.of(name), "person", "2 2 here");
    }

    private static Caller pool() {
        return Caller.ofToken("codex-r1-0a1b2c3d", "codex", List.of());
    }

    private String propose(Caller by) {
        return reviews.proposals().create(proposal(), by).id();
    }

    private Granted claimAs(String id, String reviewer, Caller caller) {
        return (Granted) reviews.claiming().claim(id, reviewer, null, null, caller);
    }

    private void release(Granted granted) {
        reviews.claiming().release(granted.review().id(), granted.claim().fence(), null);
    }

    private Optional<String> next(String reviewer, Caller caller) {
        return reviews.next()
                .claim(new NextReview.Request(reviewer, null, null, null, null, Duration.ZERO), caller)
                .map(granted -> granted.review().id());
    }

    private Verdicts.Submitted verdictAs(
            String id, String verdict, String reviewer, long generation, Remarks remarks, Caller caller) {
        read(id, reviewer);
        return reviews.verdicts()
                .submit(
                        id,
                        Verdicts.Submission.of(verdict, "because", Fence.of(reviewer, generation))
                                .remarks(remarks),
                        caller);
    }
}
