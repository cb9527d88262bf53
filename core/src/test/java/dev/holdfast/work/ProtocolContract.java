package dev.holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.Agents;
import dev.holdfast.agent.SessionStart;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.DisplacedClaim;
import dev.holdfast.claim.EndOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.HeartbeatOutcome;
import dev.holdfast.claim.HolderHeartbeat;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.OuterClaim;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.store.Engine;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The claiming protocol rule by rule, R1 to R19, and each of the fifteen holes that its first form had. What hooks and the
 * command line add to a rule (R2, R3, R13 to R15, R17, R18) is tested where they are; here is what the broker owes them.
 */
abstract class ProtocolContract extends OnBacklog {
    ProtocolContract(Engine engine) {
        super(engine);
    }

    private Agents agents() {
        return new Agents(on.store(), claims);
    }

    private static SessionStart session(String id) {
        return new SessionStart(id, "claude", null, null, "host", 1L, "shop", "main");
    }

    // The rules

    @Test
    void r1_every_session_has_a_name_of_its_own() {
        Set<String> names = new HashSet<>();
        IntStream.range(0, 50)
                .forEach(i -> names.add(agents().start(session("session-" + i)).id()));
        assertThat(names).hasSize(50);
    }

    @Test
    void r2_a_session_that_is_resumed_keeps_its_name_and_its_claims() {
        Agent before = agents().start(session("s"));
        Claim claim = claim(create("a"), before.id());
        Agent after = agents().start(session("s"));
        assertThat(after.id()).isEqualTo(before.id());
        assertThat(claims.heartbeat(claim.resource(), claim.fence())).isInstanceOf(HeartbeatOutcome.Extended.class);
    }

    @Test
    void r3_nobody_is_known_by_an_empty_session() {
        assertThatThrownBy(() -> session(" ")).isInstanceOf(InvalidException.class);
    }

    @Test
    void r4_a_status_is_never_a_claim() {
        String id = create("a");
        assertThatThrownBy(() -> update(id, null, new WorkChange().status(WorkStatus.IN_PROGRESS)))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining("claim_work");
        assertThat(status(id)).isEqualTo(WorkStatus.OPEN);
        claim(id, "ann");
        assertThat(status(id)).isEqualTo(WorkStatus.IN_PROGRESS);
    }

    @Test
    void r5_a_claim_that_was_not_granted_leaves_nothing_behind() {
        String id = create("a");
        Claim claim = claim(id, "ann");
        assertThat(tryClaim(id, "bob")).isInstanceOf(Refusal.class);
        assertThat(shown(id).claim()).isEqualTo(claim);
        assertThat(claims.held(null, "bob", null)).isEmpty();
        assertThat(eventTypes(id)).containsExactly("work_created", "claimed");
    }

    @Test
    void r6_conflict_not_claimable_not_found_and_lost_are_different_answers() {
        String held = create("a");
        Claim claim = claim(held, "ann");
        String blocked = create("b", held);
        assertThat(code(tryClaim(held, "bob"))).isEqualTo("held");
        assertThat(code(tryClaim(blocked, "bob"))).isEqualTo("not_claimable");
        assertThat(code(tryClaim("hf-none", "bob"))).isEqualTo("not_found");
        close(held, claim);
        assertThat(code(tryClaim(held, "bob"))).isEqualTo("not_claimable");
        assertRefused(() -> update(held, claim, new WorkChange().title("x")), "lost", "nobody holds it now");
        assertThat(new Refusal.Busy("too contended").code()).hasToString("busy");
    }

    private static String code(ClaimOutcome outcome) {
        return ((Refusal) outcome).code().toString();
    }

    @Test
    void r7_who_loses_a_race_is_told_who_won_and_finds_other_work_at_once() {
        String taken = create("a");
        String other = create("b");
        claim(taken, "ann");
        assertThat(tryClaim(taken, "bob"))
                .isInstanceOfSatisfying(
                        Refusal.Held.class, held -> assertThat(held.holder()).isEqualTo("ann"));
        assertThat(next("bob")).isEqualTo(other);
    }

    @Test
    void r8_a_soft_claim_needs_the_outer_one_and_ends_with_it() {
        Claim outer = claim(create("sprint"), "ann");
        String id = create("a");
        ClaimRequest soft = ClaimRequest.of(WorkItem.resource(id), "ann")
                .under(new OuterClaim(outer.resource(), outer.generation()));
        assertThat(work.claiming().claim(soft.under(new OuterClaim(outer.resource(), 99)), Set.of()))
                .isInstanceOf(Refusal.class);
        assertThat(work.claiming().claim(soft, Set.of())).isInstanceOf(ClaimOutcome.Granted.class);
        assertThat(tryClaim(id, "bob")).isInstanceOf(Refusal.Held.class);
        claims.release(outer, null);
        claim(id, "bob");
    }

    @Test
    void what_is_held_softly_is_changed_and_closed_by_its_holder_alone_until_the_outer_claim_ends() {
        Claim outer = claim(create("sprint"), "ann");
        String id = create("a");
        ClaimRequest soft = ClaimRequest.of(WorkItem.resource(id), "ann")
                .under(new OuterClaim(outer.resource(), outer.generation()));
        assertThat(work.claiming().claim(soft, Set.of())).isInstanceOf(ClaimOutcome.Granted.class);
        WorkChange postpone = new WorkChange().status(WorkStatus.DEFERRED);

        assertThatThrownBy(() -> update(id, null, new WorkChange().title("b")))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(RefusalCode.FENCE_MISSING));
        assertThatThrownBy(() -> update(id, null, postpone)).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> work.closing().close(id, new Fence(null, null), null, null))
                .isInstanceOf(RefusedException.class);

        claims.release(outer, null);
        assertThat(update(id, null, postpone).status()).isEqualTo(WorkStatus.DEFERRED);
    }

    @Test
    void r9_claim_holder_lease_and_event_are_one_write() {
        String id = create("a");
        Claim claim = claim(id, "ann");
        WorkItem item = shown(id);
        assertThat(item.claim()).isEqualTo(claim);
        assertThat(claim.expiresAt()).isEqualTo(on.settableClock().now().plus(TTL));
        assertThat(eventTypes(id)).containsExactly("work_created", "claimed");
    }

    @Test
    void r10_nobody_releases_what_another_holds() {
        String id = create("a");
        Claim anns = claim(id, "ann");
        for (Fence foreign : List.of(new Fence("bob", anns.generation()), new Fence("ann", anns.generation() - 1))) {
            assertThat(claims.release(anns.resource(), foreign, Ending.released(null)))
                    .isInstanceOfSatisfying(
                            Refusal.Lost.class,
                            lost -> assertThat(lost.holder()).isEqualTo("ann"));
        }
        assertThat(shown(id).claim()).isEqualTo(anns);
    }

    @Test
    void r11_a_release_opens_the_item_and_one_that_keeps_the_status_does_not() {
        String id = create("a");
        claims.release(claim(id, "ann"), null);
        assertThat(status(id)).isEqualTo(WorkStatus.OPEN);
        Claim claim = claim(id, "ann");
        claims.release(claim.resource(), claim.fence(), Ending.released(null, true));
        assertThat(status(id)).isEqualTo(WorkStatus.IN_PROGRESS);
        assertThat(shown(id).claim()).isNull();
    }

    @Test
    void r12_who_has_what_since_when_and_until_when_is_told() {
        Claim first = claim(create("a"), "ann");
        Claim second = claim(create("b"), "bob");
        assertThat(claims.held(Kind.WORK, null, null)).containsExactlyInAnyOrder(first, second);
        assertThat(claims.held(Kind.WORK, "carl", null)).isEmpty();
    }

    @Test
    void r13_one_heartbeat_covers_every_claim_of_the_session() {
        Claim first = claim(create("a"), "ann");
        Claim second = claim(create("b"), "ann");
        claims.heartbeat(first.resource(), first.fence());
        claims.heartbeat(second.resource(), second.fence());
        on.settableClock().advance(Duration.ofMinutes(30));
        assertThat(claims.heartbeat("ann").extended())
                .extracting(Claim::resource)
                .containsExactlyInAnyOrder(first.resource(), second.resource());
        on.settableClock().advance(Duration.ofMinutes(30));
        assertThat(tryClaim(first.resource().id(), "bob")).isInstanceOf(Refusal.Held.class);
    }

    @Test
    void r14_a_heartbeat_changes_the_lease_and_nothing_else() {
        String id = create("a");
        Claim claim = claim(id, "ann");
        WorkItem before = shown(id);
        int events = eventTypes(id).size();
        on.settableClock().advance(Duration.ofMinutes(1));
        claims.heartbeat(claim.resource(), claim.fence());
        assertThat(shown(id)).usingRecursiveComparison().ignoringFields("claim").isEqualTo(before);
        assertThat(eventTypes(id)).hasSize(events);
    }

    @Test
    void r15_all_sessions_of_a_host_go_by_the_id_that_its_hooks_bring() {
        Agent first = agents().start(session("3f2c9a10-aaaa"));
        Agent same = agents().start(session("3f2c9a10-aaaa"));
        Agent other = agents().start(session("3f2c9a10-bbbb")); // the same first eight characters
        assertThat(same.id()).isEqualTo(first.id());
        assertThat(other.id()).isNotEqualTo(first.id());
    }

    @Test
    void r16_the_lease_is_forty_five_minutes_by_one_constant_of_the_broker() {
        String id = create("a");
        claim(id, "ann");
        on.settableClock().advance(TTL.minusSeconds(1));
        assertThat(tryClaim(id, "bob")).isInstanceOf(Refusal.Held.class);
        on.settableClock().advance(Duration.ofSeconds(1));
        assertThat(tryClaim(id, "bob")).isInstanceOf(ClaimOutcome.Granted.class);
        assertThat(Kind.WORK.lease()).isEqualTo(TTL);
    }

    @Test
    void r17_the_end_of_a_session_frees_what_it_holds_and_nothing_of_others() {
        Agent ann = agents().start(session("s"));
        String hers = create("a");
        String lost = create("b");
        claim(hers, ann.id());
        claim(lost, ann.id());
        passTtl();
        Claim bobs = claim(lost, "bob");
        agents().end("s");
        assertThat(status(hers)).isEqualTo(WorkStatus.OPEN);
        assertThat(shown(lost).claim()).isEqualTo(bobs);
    }

    @Test
    void r18_a_session_that_nobody_knows_is_no_error_and_frees_nothing() {
        String id = create("a");
        claim(id, "ann");
        assertThat(agents().end("never seen")).isEmpty();
        assertThat(status(id)).isEqualTo(WorkStatus.IN_PROGRESS);
    }

    @Test
    void r19_claims_need_no_session_heartbeats_no_claim() {
        claim(create("a"), "somebody");
        HolderHeartbeat beat = claims.heartbeat("nobody in particular");
        assertThat(beat.extended()).isEmpty();
        assertThat(beat.lost()).isEmpty();
    }

    // The holes

    @Test
    void hole_1_no_item_is_in_progress_without_a_holder_and_a_time_to_run_out() {
        String id = create("a");
        claim(id, "ann");
        assertThat(shown(id).claim()).isNotNull();
        passTtl();
        assertThat(claims.sweep(10)).containsExactly(WorkItem.resource(id));
        assertThat(status(id)).isEqualTo(WorkStatus.OPEN);
    }

    @Test
    void hole_2_what_has_run_out_can_be_taken_in_one_step_and_the_takeover_is_told() {
        String id = create("a");
        claim(id, "ann");
        passTtl();
        ClaimOutcome.Granted taken = (ClaimOutcome.Granted) tryClaim(id, "bob");
        assertThat(taken.displaced()).isEqualTo(new ClaimOutcome.Displaced("ann", 1));
        assertThat(eventTypes(id)).containsExactly("work_created", "claimed", "taken_over");
        assertThat(claims.heartbeat("ann").lost())
                .extracting(DisplacedClaim::resource)
                .containsExactly(WorkItem.resource(id));
    }

    @Test
    void hole_3_a_release_clears_the_claim_for_good() {
        String id = create("a");
        Claim claim = claim(id, "ann");
        assertThat(claims.release(claim, null)).isInstanceOf(EndOutcome.Ended.class);
        assertThat(shown(id).claim()).isNull();
        claim(id, "bob");
    }

    @Test
    void hole_4_a_displaced_holder_does_not_extend_the_new_one_and_learns_that_it_lost() {
        String id = create("a");
        Claim anns = claim(id, "ann");
        passTtl();
        Claim bobs = claim(id, "bob");
        assertThat(claims.heartbeat(anns.resource(), anns.fence()))
                .isInstanceOfSatisfying(
                        Refusal.Lost.class, lost -> assertThat(lost.holder()).isEqualTo("bob"));
        assertThat(shown(id).claim()).isEqualTo(bobs);
    }

    @Test
    void hole_5_heartbeats_leave_no_rubbish() {
        String id = create("a");
        Claim claim = claim(id, "ann");
        for (int i = 0; i < 60; i++) {
            on.settableClock().advance(Duration.ofSeconds(15));
            claims.heartbeat(claim.resource(), claim.fence());
        }
        assertThat(eventTypes(id)).containsExactly("work_created", "claimed");
        assertThat(work.backlog().list(Backlog.ItemFilter.any(), 10, null).items())
                .hasSize(1);
    }

    @Test
    void hole_6_whose_it_is_is_judged_in_the_same_step_as_the_change() {
        for (int i = 0; i < 20; i++) {
            String id = create("a");
            Claim anns = claim(id, "ann");
            passTtl();
            CompletableFuture<ClaimOutcome> taking = CompletableFuture.supplyAsync(() -> tryClaim(id, "bob"));
            CompletableFuture<EndOutcome> releasing = CompletableFuture.supplyAsync(() -> claims.release(anns, null));
            boolean released = releasing.join() instanceof EndOutcome.Ended;
            ClaimOutcome.Granted taken = (ClaimOutcome.Granted) taking.join();
            assertThat(shown(id).claim()).isEqualTo(taken.claim());
            assertThat(taken.displaced() == null).isEqualTo(released);
        }
    }

    @Test
    void hole_7_a_release_never_opens_what_is_closed_or_blocked() {
        String id = create("a");
        Claim anns = claim(id, "ann");
        passTtl();
        done(id, "bob");
        assertThat(claims.release(anns, null)).isInstanceOf(Refusal.Lost.class);
        assertThat(status(id)).isEqualTo(WorkStatus.CLOSED);

        String blocked = create("b");
        Claim claim = claim(blocked, "ann");
        update(blocked, claim, new WorkChange().status(WorkStatus.BLOCKED).reason("waits"));
        claims.release(claim, null);
        assertThat(status(blocked)).isEqualTo(WorkStatus.BLOCKED);
    }

    @Test
    void hole_8_what_is_closed_or_missing_is_not_taken_for_contention() {
        String id = create("a");
        done(id, "ann");
        assertThat(tryClaim(id, "bob")).isInstanceOf(Refusal.NotClaimable.class);
        assertThat(tryClaim("hf-none", "bob")).isInstanceOf(Refusal.NotFound.class);
    }

    @Test
    void hole_9_unknown_is_nobody() {
        String id = create("a");
        assertThatThrownBy(() -> tryClaim(id, "unknown")).isInstanceOf(InvalidException.class);
        assertThatThrownBy(() -> tryClaim(id, " ")).isInstanceOf(InvalidException.class);
    }

    @Test
    void hole_10_who_holds_what_is_known_by_the_session_alone() {
        Agent agent = agents().start(session("s"));
        Claim claim = claim(create("a"), agent.id());
        assertThat(claims.held(null, agents().start(session("s")).id(), null)).containsExactly(claim);
        assertThat(agents().end("s").orElseThrow()).containsExactly(claim);
    }

    @Test
    void hole_11_nothing_is_kept_outside_the_store() {
        String id = create("a");
        Claim claim = claim(id, "ann");
        claims.close();
        claims = dev.holdfast.claim.Claims.over(on.store());
        work = WorkItems.over(on.store(), claims);
        assertThat(claims.heartbeat(claim.resource(), claim.fence())).isInstanceOf(HeartbeatOutcome.Extended.class);
        close(id, claim);
    }

    @Test
    void hole_12_a_session_holds_several_and_frees_them_all() {
        Agent agent = agents().start(session("s"));
        List<String> ids = IntStream.range(0, 5).mapToObj(i -> create("n" + i)).toList();
        ids.forEach(id -> claim(id, agent.id()));
        assertThat(agents().end("s").orElseThrow()).hasSize(5);
        assertThat(ids).allSatisfy(id -> assertThat(status(id)).isEqualTo(WorkStatus.OPEN));
    }

    @Test
    void hole_13_contention_is_retried_by_the_broker_until_all_are_answered() {
        IntStream.range(0, 32).forEach(i -> create("n" + i));
        List<CompletableFuture<String>> calls = IntStream.range(0, 32)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> String.valueOf(next("agent-" + i))))
                .toList();
        assertThat(calls.stream().map(CompletableFuture::join))
                .doesNotContain("null")
                .doesNotHaveDuplicates()
                .hasSize(32);
    }

    @Test
    void hole_14_a_displaced_holder_cannot_beat_update_close_or_release_and_is_told_who_has_it() {
        String id = create("a");
        Claim anns = claim(id, "ann");
        passTtl();
        Claim bobs = claim(id, "bob");
        String message = "lost: bob holds it now";
        assertThat(message(claims.heartbeat(anns.resource(), anns.fence()))).contains(message);
        assertRefused(() -> update(id, anns, new WorkChange().title("mine")), "lost", message);
        assertRefused(() -> work.closing().close(id, anns.fence(), "done", null), "lost", message);
        assertThat(message(claims.release(anns, "bye"))).contains(message);
        assertThat(shown(id).claim()).isEqualTo(bobs);
        assertThat(shown(id).title()).isEqualTo("a");
        done(create("other"), "ann");
        close(id, bobs);
        assertRefused(() -> work.closing().close(id, anns.fence(), "done", null), "lost", "nobody holds it now");
    }

    private static String message(Object outcome) {
        return ((Refusal) outcome).message();
    }

    @Test
    void hole_15_a_claim_lasts_as_long_as_somebody_beats_for_it_however_long_a_call_takes() {
        String id = create("a");
        Claim claim = claim(id, "ann");
        claims.heartbeat(claim.resource(), claim.fence());
        for (int i = 0; i < 10; i++) {
            on.settableClock().advance(Duration.ofMinutes(40));
            claims.heartbeat("ann");
        }
        assertThat(shown(id).claim()).isNotNull();
        assertThat(tryClaim(id, "bob")).isInstanceOf(Refusal.Held.class);
        Resource resource = claim.resource();
        assertThat(claims.heartbeat(resource, claim.fence())).isInstanceOf(HeartbeatOutcome.Extended.class);
    }
}
