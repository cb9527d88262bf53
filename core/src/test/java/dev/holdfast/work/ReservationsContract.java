package dev.holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Under;
import dev.holdfast.store.Engine;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Paths that are reserved: who may have which, for how long. */
abstract class ReservationsContract extends OnBothStores {
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
        assertFree("carl", "src/a/b");
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
        assertThat(status(other)).isEqualTo(Status.OPEN);
        assertThat(claims.held(null, "bob", null)).isEmpty();
        Claim claim = Claiming.granted(granted).orElseThrow();
        assertHeld("bob", "src/x", "ann");
        close(id, claim);
        assertFree("bob", "src/x");
        assertThat(work.claiming().claim(ClaimRequest.of(WorkItem.resource(other), "bob"), Set.of("src/x")))
                .isInstanceOf(ClaimOutcome.Granted.class);
    }

    @Test
    void paths_of_an_item_whose_lease_ran_out_are_taken_for_good_even_if_it_is_renewed_later() {
        String id = work.making().create(NewWork.titled("a").queue("repo")).id();
        Claim claim = Claiming.granted(
                        work.claiming().claim(ClaimRequest.of(WorkItem.resource(id), "ann"), Set.of("src")))
                .orElseThrow();
        passTtl();
        reserve("bob", "src/x");
        claims.heartbeat(claim.resource(), claim.fence()); // nobody has taken the item
        assertThat(status(id)).isEqualTo(Status.IN_PROGRESS);
        assertHeld("ann", "src/x", "bob");
        assertFree("bob", "src/y");
    }

    @Test
    void a_reservation_under_a_claim_needs_that_claim() {
        String id = create("a");
        Claim claim = claim(id, "ann");
        assertRefused(
                () -> work.reservations()
                        .reserve("ann", "repo", List.of("a"), true, null, new Under(claim.resource(), 99)),
                "stale",
                "generation");
        work.reservations()
                .reserve("ann", "repo", List.of("a"), true, null, new Under(claim.resource(), claim.generation()));
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
}
