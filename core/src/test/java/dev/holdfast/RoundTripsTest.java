package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.NewResource;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.approval.ReviewerRules;
import dev.holdfast.review.pool.LiveReviewers;
import dev.holdfast.review.pool.PoolReviewers;
import dev.holdfast.review.queue.RequireFence;
import dev.holdfast.review.queue.ReviewClaims;
import dev.holdfast.review.queue.ReviewFilter;
import dev.holdfast.review.reading.ProposalReader;
import dev.holdfast.review.record.DiffCheck;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.review.verdict.Verdicts;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.task.NewStep;
import dev.holdfast.task.NewTask;
import dev.holdfast.task.Steps;
import dev.holdfast.task.Task;
import dev.holdfast.task.Tasks;
import dev.holdfast.testing.CountingProxy;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.work.NewWork;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkItems;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * How often each verb waits for PostgreSQL. Counted at the socket is every round trip that the verb's calls of this
 * library cause, in whatever transaction, BEGIN and COMMIT included (the driver sends BEGIN along with the first
 * statement, so that it costs none of its own). Not counted is what threads of their own do meanwhile: following the
 * events, and looking what comes due.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoundTripsTest {
    /**
     * The threads that follow the events and the clock, the pool that tries its connections, and what began before. A
     * transaction that has asked for nothing but the time is the clock's thread, caught on its way.
     */
    private static final Pattern OTHERS = Pattern.compile("^COMMIT$|^$|^NOTIFY |FROM events WHERE id >|pg_locks"
            + "|^BEGIN; SELECT lease_clock\\(\\) AS now$|not_before <= \\$1 RETURNING|min\\(not_before\\) AS next"
            + "|^SET application_name|pg_is_in_recovery"); // the pool takes another connection

    private final String database = TestPostgres.freshDatabase();
    private final CountingProxy proxy = new CountingProxy(portOf(database));
    private final PostgresStore store = PostgresStore.open(through(proxy));
    private final Claims claims = Claims.over(store);
    private final PoolReviewers pool = new PoolReviewers(store, claims.events(), null, folder -> folder, null);
    private final Reviews reviews = new Reviews(
            store,
            claims,
            RequireFence.ALWAYS,
            true,
            ReviewerRules.DEFAULT,
            new LiveReviewers(pool, Duration.ofMinutes(20)),
            DiffCheck.NONE,
            ReviewLimits.DEFAULT,
            () -> UUID.randomUUID().toString());
    private final WorkItems work = WorkItems.over(store, claims);
    private final Tasks tasks = new Tasks(store, claims, () -> "t" + UUID.randomUUID(), _ -> {});

    private static int portOf(String address) {
        Matcher port = Pattern.compile("localhost:(\\d+)").matcher(address);
        assertThat(port.find()).isTrue();
        return Integer.parseInt(port.group(1));
    }

    private String through(CountingProxy to) {
        return database.replace("localhost:" + portOf(database), "localhost:" + to.port()) + "&"
                + CountingProxy.PARAMETERS;
    }

    /** Connections are made and the first statements of each kind sent. */
    @BeforeAll
    void warmUp() {
        String id = propose();
        ReviewClaims.Granted granted = claimReview(id);
        read(id);
        approve(id, granted.review().generation());
        Claim claim = claimWork(work.making().create(NewWork.titled("first")).id());
        work.closing().close(claim.resource().id(), claim.fence(), null, null);
        Steps.ClaimedStep given = claimStep(task());
        tasks.steps().complete(given.step().id(), given.claim().fence(), null);
    }

    @AfterAll
    void close() {
        tasks.close();
        reviews.close();
        claims.close();
        store.close();
        proxy.close();
    }

    @Test
    void submit_verdict_takes_six_round_trips_at_most() {
        String id = propose();
        long generation = claimReview(id).review().generation();
        read(id);
        hold("submit_verdict approved", 6, () -> approve(id, generation));
        String other = propose();
        long next = claimReview(other).review().generation();
        hold(
                "submit_verdict changes_requested",
                6,
                () -> reviews.verdicts()
                        .submit(
                                other,
                                Verdicts.Submission.of("changes_requested", "not yet", new Fence("ann", next)),
                                caller()));
    }

    @Test
    void claim_work_takes_two_round_trips_at_most() {
        String id = work.making().create(NewWork.titled("job")).id();
        hold("claim_work", 2, () -> {
            claimWork(id);
            assertThat(work.backlog().find(id)).isPresent(); // as the answer shows it
        });
    }

    @Test
    void complete_step_takes_four_round_trips_at_most() {
        Steps.ClaimedStep given = claimStep(task());
        hold(
                "complete_step",
                4,
                () -> tasks.steps().complete(given.step().id(), given.claim().fence(), "{}"));
    }

    @Test
    void the_other_frequent_verbs_take_no_more_round_trips_than_they_do_now() {
        String[] id = new String[1];
        hold("create_work", 3, () -> work.making().create(NewWork.titled("another")));
        hold("claims.create", 1, () -> claims.create(NewResource.of(WorkItem.resource("bare"))));
        hold("create_review", 3, () -> id[0] = propose());
        hold("list_reviews", 1, () -> reviews.catalogue().list(ReviewFilter.ALL, new Page.Request(50, null)));
        hold("claim_review", 4, () -> claimReview(id[0]));
        hold("get_proposal", 3, () -> read(id[0]));
        String item = work.making().create(NewWork.titled("job")).id();
        Claim claim = claimWork(item);
        hold("heartbeat", 1, () -> claims.heartbeat(claim.resource(), claim.fence()));
        hold("close_work", 4, () -> work.closing().close(item, claim.fence(), "done", null));
    }

    private void hold(String verb, int max, Runnable call) {
        proxy.forget();
        call.run();
        List<List<String>> own = proxy.transactions().stream()
                .filter(one -> !OTHERS.matcher(String.join(" ", one).replaceAll("\\s+", " "))
                        .find())
                .toList();
        int trips = own.stream().mapToInt(List::size).sum();
        System.out.println(verb + ": " + trips + " round trips (at most " + max + ")");
        own.forEach(one -> {
            System.out.println("  transaction");
            one.forEach(trip -> System.out.println("    " + trip.replaceAll("\\s+", " ")));
        });
        assertThat(trips).as(verb + ": " + own).isPositive().isLessThanOrEqualTo(max);
    }

    private String propose() {
        return reviews.proposals()
                .create(Proposal.of("add a cache", "gsd-executor", "proposer", "7")
                        .project("Web Shop"))
                .id();
    }

    private ReviewClaims.Granted claimReview(String id) {
        return (ReviewClaims.Granted) reviews.claiming().claim(id, "ann", null, null);
    }

    private void read(String id) {
        ProposalReader.Shown shown = reviews.reading().proposal(id, null).orElseThrow();
        reviews.receipts().served(shown, "ann");
    }

    private void approve(String id, long generation) {
        reviews.verdicts()
                .submit(id, Verdicts.Submission.of("approved", "fine", new Fence("ann", generation)), caller());
    }

    private static Caller caller() {
        return Caller.UNKNOWN;
    }

    private Claim claimWork(String id) {
        ClaimOutcome outcome = work.claiming().claim(ClaimRequest.of(WorkItem.resource(id), "ann"), Set.of());
        return ((ClaimOutcome.Granted) outcome).claim();
    }

    private Task task() {
        return tasks.create(NewTask.of("job", NewStep.of("a"), NewStep.of("b"), NewStep.of("c")));
    }

    private Steps.ClaimedStep claimStep(Task task) {
        return tasks.steps().claim(task.id() + ".a", "ann", null, null);
    }
}
