package dev.holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.OuterClaim;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.Engine;
import dev.holdfast.store.StoreObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Paths that are reserved: who may have which, for how long. */
abstract class ReservationsContract extends OnBacklog {
    ReservationsContract(Engine engine) {
        super(engine);
    }

    private Claim reserve(String holder, String... paths) {
        return work.reservations().reserve(holder, "repo", List.of(paths), true, null, null);
    }

    private void assertFree(String holder, String path) {
        assertThat(work.reservations().check(holder, "repo", path)).isEmpty();
    }

    private void assertHeld(String holder, String path, String by) {
        assertThat(work.reservations().check(holder, "repo", path))
                .hasValueSatisfying(overlap -> assertThat(overlap.holder()).isEqualTo(by));
    }

    @Test
    void what_one_has_reserved_another_cannot_and_is_told_whose_it_is() {
        reserve("ann", "src/main/**/*.java", "docs");
        assertRefused(() -> reserve("bob", "src/main/dev/Main.java"), "held", "ann has reserved");
        assertThatThrownBy(() -> reserve("bob", "x", "docs/cli.md"))
                .hasMessageContaining("docs/cli.md overlaps docs, which ann has reserved with everything below until ")
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.details()).containsEntry("holder", "ann"));
        assertFree("bob", "x");
        reserve("bob", "src/test", "README.md");
        reserve("ann", "src/main/dev");
    }

    @Test
    void a_path_is_checked_against_what_others_have() {
        reserve("ann", "src/*.java");
        assertHeld("bob", "src/Main.java", "ann");
        assertFree("ann", "src/Main.java");
        assertFree("bob", "src/Main.kt");
        assertFree("bob", "src/[odd]*.txt");
        assertThat(work.reservations().check("bob", "another", "src/Main.java")).isEmpty();
    }

    @Test
    void those_who_share_may_overlap_each_other_but_nobody_who_wants_it_alone() {
        work.reservations().reserve("ann", "repo", List.of("src"), false, null, null);
        work.reservations().reserve("bob", "repo", List.of("src/a"), false, null, null);
        assertRefused(() -> reserve("carl", "src/a/b"), "held", "has reserved");
        assertThat(work.reservations().check("carl", "repo", "src/a/b"))
                .as("not free, but to be shared")
                .hasValueSatisfying(overlap -> assertThat(overlap.exclusive()).isFalse());
    }

    @Test
    void a_reservation_is_free_when_it_is_released_or_has_run_out() {
        Claim first = reserve("ann", "a");
        assertThat(claims.release(first, null)).isInstanceOf(EndOutcome.Ended.class);
        Claim second = work.reservations().reserve("bob", "repo", List.of("a"), true, Duration.ofMinutes(1), null);
        on.settableClock().advance(Duration.ofMinutes(2));
        assertFree("carl", "a");
        reserve("carl", "a");
        assertThat(claims.heartbeat(second.resource(), second.fence())).isInstanceOf(Refusal.Lost.class);
        assertHeld("bob", "a", "carl");
    }

    @Test
    void one_that_is_renewed_in_time_stays() {
        Claim claim = reserve("ann", "a");
        on.settableClock().advance(TTL.minusSeconds(1));
        claims.heartbeat(claim.resource(), claim.fence());
        on.settableClock().advance(TTL.minusSeconds(1));
        assertRefused(() -> reserve("bob", "a"), "held", "ann");
    }

    @Test
    void item_and_paths_are_claimed_in_one_step_or_not_at_all() {
        String id = work.making().create(NewWork.titled("a").queue("repo")).id();
        String other = work.making().create(NewWork.titled("b").queue("repo")).id();
        ClaimOutcome granted = work.claiming().claim(ClaimRequest.of(WorkItem.resource(id), "ann"), Set.of("src"));
        assertThat(granted).isInstanceOf(ClaimOutcome.Granted.class);
        assertRefused(
                () -> work.claiming().claim(ClaimRequest.of(WorkItem.resource(other), "bob"), Set.of("src/x")),
                "held",
                "ann");
        assertThat(status(other)).isEqualTo(WorkStatus.OPEN);
        assertThat(claims.held(null, "bob", null)).isEmpty();
        Claim claim = WorkClaims.granted(granted).orElseThrow();
        assertHeld("bob", "src/x", "ann");
        close(id, claim);
        assertFree("bob", "src/x");
        assertThat(work.claiming().claim(ClaimRequest.of(WorkItem.resource(other), "bob"), Set.of("src/x")))
                .isInstanceOf(ClaimOutcome.Granted.class);
    }

    @Test
    void paths_of_an_item_whose_lease_ran_out_are_taken_for_good_even_if_it_is_renewed_later() {
        String id = work.making().create(NewWork.titled("a").queue("repo")).id();
        Claim claim = WorkClaims.granted(
                        work.claiming().claim(ClaimRequest.of(WorkItem.resource(id), "ann"), Set.of("src")))
                .orElseThrow();
        passTtl();
        reserve("bob", "src/x");
        claims.heartbeat(claim.resource(), claim.fence()); // nobody has taken the item
        assertThat(status(id)).isEqualTo(WorkStatus.IN_PROGRESS);
        assertHeld("ann", "src/x", "bob");
        assertFree("bob", "src/y");
    }

    @Test
    void a_reservation_under_a_claim_needs_that_claim() {
        String id = create("a");
        Claim claim = claim(id, "ann");
        assertRefused(
                () -> work.reservations()
                        .reserve("ann", "repo", List.of("a"), true, null, new OuterClaim(claim.resource(), 99)),
                "stale",
                "generation");
        work.reservations()
                .reserve("ann", "repo", List.of("a"), true, null, new OuterClaim(claim.resource(), claim.generation()));
        claims.release(claim, null);
        assertFree("bob", "a");
    }

    @Test
    void of_many_who_reserve_the_same_at_once_one_gets_it() {
        List<CompletableFuture<Boolean>> calls = IntStream.range(0, 16)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> {
                    try {
                        reserve("agent-" + i, "src/" + (i % 2 == 0 ? "**" : "a*"));
                        return true;
                    } catch (RefusedException e) {
                        return false;
                    }
                }))
                .toList();
        assertThat(calls.stream().filter(CompletableFuture::join)).hasSize(1);
    }

    @Test
    void bad_paths_are_refused_with_what_is_wrong_with_them() {
        for (String bad : List.of("/etc/passwd", "", "a//b", "../x", "a/./b", "a/[b", "a{b,c}", "a\\", "a/[z-a]")) {
            assertThatThrownBy(() -> reserve("ann", bad))
                    .as(bad)
                    .isInstanceOf(InvalidException.class)
                    .hasMessageContaining("path");
        }
        assertThatThrownBy(() -> reserve("ann")).isInstanceOf(InvalidException.class);
    }

    /** As long as a reservation may be, and as hard to tell apart as can be: every name almost fits every other. */
    private static List<String> worstPaths(String end) {
        List<String> paths = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            paths.add("a".repeat(200) + i + end);
            paths.add("*" + "a".repeat(100) + "b" + i + end);
        }
        return paths;
    }

    @Test
    void the_longest_globs_keep_no_writer_waiting() {
        AtomicLong longest = new AtomicLong();
        on.store().observer(new StoreObserver() {
            @Override
            public void took(String operation, long nanos) {
                longest.accumulateAndGet(nanos, Math::max);
            }
        });
        for (int i = 0; i < 15; i++) {
            work.reservations().reserve("agent-" + i, "repo", worstPaths("-" + i), false, null, null);
        }
        work.reservations().reserve("bob", "repo", worstPaths("-x"), true, null, null);
        assertThat(Duration.ofNanos(longest.get()))
                .as("compared in a transaction, they took many minutes")
                .isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void what_is_reserved_between_the_comparison_and_the_lock_is_not_overlooked() {
        PathComparison wanted = new PathComparison("bob", "repo", Glob.all(List.of("src/**")), true);
        assertRefused(
                () -> wanted.then(on.store(), () -> {
                    reserve("ann", "src/a");
                    return on.store()
                            .write(transaction -> work.reservations().reserve(transaction, "mine", wanted, null, null));
                }),
                "held",
                "ann has reserved");
    }

    @Test
    void what_is_too_much_to_compare_under_the_lock_is_compared_outside_once_more() {
        PathComparison wanted = new PathComparison("bob", "repo", Glob.all(worstPaths("-x")), true);
        AtomicInteger rounds = new AtomicInteger();
        Claim claim = wanted.then(on.store(), () -> {
            if (rounds.getAndIncrement() == 0) {
                work.reservations().reserve("ann", "repo", worstPaths("-y"), true, null, null);
            }
            return on.store()
                    .write(transaction -> work.reservations().reserve(transaction, "mine", wanted, null, null));
        });
        assertThat(rounds).hasValue(2);
        assertThat(claims.held(null, "bob", null)).extracting(Claim::resource).containsExactly(claim.resource());
    }

    @Test
    void a_reservation_that_somebody_has_taken_by_its_name_is_seen_by_those_who_compared_without_it() {
        Claim first = reserve("ann", "src/a");
        claims.release(first, null);
        PathComparison wanted = new PathComparison("bob", "repo", Glob.all(List.of("src/**")), true);
        assertRefused(
                () -> wanted.then(on.store(), () -> {
                    claims.claim(ClaimRequest.of(first.resource(), "carl"));
                    return on.store()
                            .write(transaction -> work.reservations().reserve(transaction, "mine", wanted, null, null));
                }),
                "held",
                "carl has reserved");
    }

    @Test
    void a_repository_has_room_for_so_many_reservations_and_characters() {
        for (int i = 0; i < Reservations.LONGEST_IN_A_QUEUE / 5_000 + 1; i++) {
            List<String> paths = new ArrayList<>();
            for (int path = 0; path < 40; path++) {
                paths.add("folder-" + i + "/" + path + "x".repeat(110));
            }
            work.reservations().reserve("ann", "repo", paths, true, Duration.ofMinutes(1), null);
        }
        assertRefused(() -> reserve("bob", "src"), "not_claimable", "which is the limit");
        work.reservations().reserve("bob", "another", List.of("src"), true, null, null);
        on.settableClock().advance(Duration.ofMinutes(2));
        reserve("bob", "src");
    }

    @Test
    void the_paths_of_an_item_are_limited_as_those_of_a_reservation() {
        String id = work.making().create(NewWork.titled("a").queue("repo")).id();
        Set<String> many = IntStream.range(0, 51).mapToObj(i -> "a" + i).collect(Collectors.toSet());
        assertThatThrownBy(() -> work.claiming().claim(ClaimRequest.of(WorkItem.resource(id), "ann"), many))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining("1 to 50 globs");
        assertThat(status(id)).isEqualTo(WorkStatus.OPEN);
    }
}
