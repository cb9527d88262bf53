package dev.holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.Ending;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.Filter;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.NextRequest;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Items, their order, what holds them back, and what sets them free. */
abstract class BacklogContract extends OnBacklog {
    BacklogContract(Engine engine) {
        super(engine);
    }

    @Test
    void an_item_is_made_with_an_id_of_its_own_and_comes_back_as_it_was_given() {
        WorkItem made = work.making()
                .create(NewWork.titled("parse dates")
                        .description("of all sorts")
                        .priority(1)
                        .type("bug")
                        .labels(Set.of("java", "dates"))
                        .queue("shop")
                        .assignee("ann")
                        .externalRef("GH-7")
                        .metadata("{\"points\":3}")
                        .actor("bob"));
        assertThat(made.id()).matches("hf-[0-9a-z]{4,}");
        assertThat(made).usingRecursiveComparison().isEqualTo(shown(made.id()));
        assertThat(made.status()).isEqualTo(WorkStatus.OPEN);
        assertThat(made.labels()).containsExactlyInAnyOrder("java", "dates");
        assertThat(List.of(made.type(), made.queue(), made.assignee(), made.externalRef(), made.createdBy()))
                .containsExactly("bug", "shop", "ann", "GH-7", "bob");
        assertThat(made.metadata()).isEqualTo("{\"points\":3}");
    }

    @Test
    void two_thousand_items_made_at_once_have_two_thousand_ids() {
        List<CompletableFuture<String>> made = IntStream.range(0, 16)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> String.join(
                        " ",
                        IntStream.range(0, 125)
                                .mapToObj(j -> create("same title"))
                                .toList())))
                .toList();
        List<String> ids = made.stream()
                .flatMap(some -> List.of(some.join().split(" ")).stream())
                .toList();
        assertThat(ids).hasSize(2_000).doesNotHaveDuplicates();
    }

    @Test
    void parts_of_an_item_are_numbered_within_it() {
        String whole = create("whole");
        WorkItem first = work.making().create(NewWork.titled("a").parent(whole));
        WorkItem second = work.making().create(NewWork.titled("b").parent(whole));
        WorkItem deeper = work.making().create(NewWork.titled("c").parent(second.id()));
        assertThat(List.of(first.id(), second.id(), deeper.id()))
                .containsExactly(whole + ".1", whole + ".2", whole + ".2.1");
        assertThat(first.parent()).isEqualTo(whole);
        assertThat(work.backlog()
                        .list(new Backlog.ItemFilter(null, Filter.ANY, null, null, whole), 10, null)
                        .items())
                .extracting(WorkItem::id)
                .containsExactly(first.id(), second.id());
    }

    @Test
    void an_id_is_given_once_and_must_be_one_word() {
        work.making().create(NewWork.titled("a").id("bd-1"));
        assertRefused(() -> work.making().create(NewWork.titled("b").id("bd-1")), "bad_state", "bd-1");
        assertThatThrownBy(() -> NewWork.titled("b").id("a b")).isInstanceOf(InvalidException.class);
        assertThatThrownBy(() -> NewWork.titled("b").id("work:1")).isInstanceOf(InvalidException.class);
        assertRefused(() -> create("c", "bd-2"), "not_found", "bd-2");
        assertRefused(() -> shownOrRefused("no such thing"), "not_found", "no such thing");
    }

    private void shownOrRefused(String id) {
        update(id, null, new WorkChange().title("x"));
    }

    @Test
    void the_most_urgent_is_given_first_then_the_oldest() {
        String later = create("later");
        String last = work.making().create(NewWork.titled("low").priority(4)).id();
        String latest = create("latest");
        String first = work.making().create(NewWork.titled("high").priority(0)).id();
        assertThat(work.backlog().ready(Filter.ANY, 10, null).items())
                .extracting(WorkItem::id)
                .containsExactly(first, later, latest, last);
        assertThat(List.of(next("a"), next("b"), next("c"), next("d"))).containsExactly(first, later, latest, last);
        assertThat(tryNext("e")).isInstanceOf(ClaimOutcome.Nothing.class);
    }

    @Test
    void lists_come_in_parts_without_a_gap() {
        List<String> made = IntStream.range(0, 25)
                .mapToObj(i -> work.making()
                        .create(NewWork.titled("n" + i).priority(i % 3))
                        .id())
                .toList();
        List<String> listed = new ArrayList<>();
        List<String> ready = new ArrayList<>();
        String cursor = null;
        do {
            Backlog.Page page = work.backlog().list(Backlog.ItemFilter.any(), 10, cursor);
            page.items().forEach(item -> listed.add(item.id()));
            cursor = page.next();
        } while (cursor != null);
        do {
            Backlog.Page page = work.backlog().ready(Filter.ANY, 4, cursor);
            page.items().forEach(item -> ready.add(item.id()));
            cursor = page.next();
        } while (cursor != null);
        assertThat(listed).containsExactlyElementsOf(made);
        assertThat(ready).hasSize(25).doesNotHaveDuplicates();
        assertThatThrownBy(() -> work.backlog().list(Backlog.ItemFilter.any(), 10, "x.y"))
                .isInstanceOf(InvalidException.class);
    }

    @Test
    void claim_next_gives_only_what_has_the_labels_the_type_and_the_queue_asked_for() {
        NewWork java = NewWork.titled("a")
                .type("bug")
                .labels(Set.of("java", "type:task"))
                .queue("shop");
        String id = work.making().create(java).id();
        assertThat(nextOf(WorkClaims.filter("shop", Set.of(), "task"))).isEmpty();
        assertThat(nextOf(WorkClaims.filter("other", Set.of(), null))).isEmpty();
        assertThat(nextOf(WorkClaims.filter(null, Set.of("go"), null))).isEmpty();
        assertThat(nextOf(WorkClaims.filter("shop", Set.of("java"), "bug"))).containsExactly(id);
    }

    private List<String> nextOf(Filter filter) {
        return WorkClaims.granted(
                        work.claiming().next(NextRequest.of(Kind.WORK, "ann").filter(filter)))
                .stream()
                .map(claim -> claim.resource().id())
                .toList();
    }

    @Test
    void what_was_sorted_anew_is_found_by_what_it_is_now() {
        String id = create("a");
        create("b");
        update(
                id,
                null,
                new WorkChange().queue("shop").priority(0).labels(Set.of("go")).type("chore"));
        assertThat(nextOf(WorkClaims.filter("shop", Set.of("go"), "chore"))).containsExactly(id);
        assertThat(shown(id).queue()).isEqualTo("shop");
    }

    @Test
    void an_item_waits_until_everything_that_it_depends_on_is_closed() {
        String first = create("first");
        String second = create("second");
        String last = create("last", first, second);
        assertThat(status(last)).isEqualTo(WorkStatus.BLOCKED);
        assertThat(shown(last).blockedBy()).containsExactlyInAnyOrder(first, second);
        assertThat(tryClaim(last, "ann")).isInstanceOf(Refusal.NotClaimable.class);
        done(first, "ann");
        assertThat(status(last)).isEqualTo(WorkStatus.BLOCKED);
        done(second, "ann");
        assertThat(status(last)).isEqualTo(WorkStatus.OPEN);
        assertThat(next("ann")).isEqualTo(last);
    }

    @Test
    void what_was_opened_again_holds_back_again() {
        String first = create("first");
        String last = create("last", first);
        done(first, "ann");
        update(first, null, new WorkChange().status(WorkStatus.OPEN));
        assertThat(status(last)).isEqualTo(WorkStatus.BLOCKED);
        assertThat(shown(first).closedAt()).isNull();
        done(first, "ann");
        assertThat(status(last)).isEqualTo(WorkStatus.OPEN);
    }

    @Test
    void a_part_waits_while_its_whole_waits() {
        String before = create("before");
        String whole = create("whole", before);
        String part = work.making().create(NewWork.titled("part").parent(whole)).id();
        String partOfPart =
                work.making().create(NewWork.titled("part").parent(part)).id();
        assertThat(List.of(status(part), status(partOfPart))).containsExactly(WorkStatus.BLOCKED, WorkStatus.BLOCKED);
        done(before, "ann");
        assertThat(List.of(status(whole), status(part), status(partOfPart))).containsOnly(WorkStatus.OPEN);
        update(whole, null, new WorkChange().status(WorkStatus.BLOCKED).reason("not now"));
        assertThat(List.of(status(whole), status(part), status(partOfPart))).containsOnly(WorkStatus.BLOCKED);
    }

    @Test
    void circles_of_any_length_are_refused() {
        String a = create("a");
        String b = create("b", a);
        String c = create("c", b);
        assertRefused(() -> depend(a, c), "bad_state", "neither could ever start");
        assertThatThrownBy(() -> depend(a, a)).isInstanceOf(InvalidException.class);
        work.dependencies().add(a, c, "related", null);
        assertThat(status(a)).isEqualTo(WorkStatus.OPEN);
    }

    @Test
    void two_who_would_close_a_circle_together_do_not() {
        for (int i = 0; i < 20; i++) {
            String a = create("a");
            String b = create("b");
            CompletableFuture<Boolean> one = CompletableFuture.supplyAsync(() -> depends(a, b));
            CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(() -> depends(b, a));
            assertThat(List.of(one.join(), other.join())).containsExactlyInAnyOrder(true, false);
        }
    }

    private boolean depends(String id, String on) {
        try {
            depend(id, on);
            return true;
        } catch (RefusedException e) {
            return false;
        }
    }

    private void depend(String id, String on) {
        work.dependencies().add(id, on, Dependency.BLOCKS, null);
    }

    @Test
    void a_dependency_that_is_taken_away_holds_nothing_back() {
        String a = create("a");
        String b = create("b", a);
        work.dependencies().remove(b, a, null, "ann");
        assertThat(status(b)).isEqualTo(WorkStatus.OPEN);
        assertRefused(() -> work.dependencies().remove(b, a, null, null), "not_found", "does not depend");
    }

    @Test
    void an_item_that_comes_to_wait_while_it_is_held_stays_held_and_is_blocked_when_let_go() {
        String found = create("found on the way");
        String held = create("held");
        Claim claim = claim(held, "ann");
        depend(held, found);
        assertThat(status(held)).isEqualTo(WorkStatus.IN_PROGRESS);
        claims.release(claim, "needs " + found);
        assertThat(status(held)).isEqualTo(WorkStatus.BLOCKED);
        assertThat(next("bob")).isEqualTo(found);
        close(found, WorkClaims.granted(tryClaimAgain(found)).orElseThrow());
        Claim again = claim(held, "bob");
        assertThat(again.generation()).isEqualTo(2);
    }

    private ClaimOutcome tryClaimAgain(String id) {
        Claim held = claims.held(Kind.WORK, null, null).getFirst();
        return claims.claim(dev.holdfast.claim.ClaimRequest.of(WorkItem.resource(id), held.holder())
                .generation(held.generation()));
    }

    @Test
    void an_item_that_waits_and_whose_lease_runs_out_is_given_to_nobody() {
        String found = create("found");
        String held = create("held");
        claim(held, "ann");
        depend(held, found);
        passTtl();
        assertThat(tryClaim(held, "bob")).isInstanceOf(Refusal.NotClaimable.class);
        assertThat(status(held)).isEqualTo(WorkStatus.BLOCKED);
        assertThat(next("bob")).isEqualTo(found);
        assertThat(tryNext("carl")).isInstanceOf(ClaimOutcome.Nothing.class);
    }

    @Test
    void what_is_put_off_is_given_when_its_time_has_come() {
        WorkItem item =
                work.making().create(NewWork.titled("later").deferUntil(SettableClock.START.plus(Duration.ofHours(1))));
        assertThat(item.status()).isEqualTo(WorkStatus.DEFERRED);
        assertThat(tryClaim(item.id(), "ann")).isInstanceOf(Refusal.NotClaimable.class);
        on.settableClock().advance(Duration.ofHours(2));
        assertThat(status(item.id())).isEqualTo(WorkStatus.OPEN);
        assertThat(next("ann")).isEqualTo(item.id());
    }

    @Test
    void what_is_put_off_without_a_date_waits_until_somebody_opens_it() {
        String id = create("some day");
        update(id, null, new WorkChange().status(WorkStatus.DEFERRED));
        assertThat(status(id)).isEqualTo(WorkStatus.DEFERRED);
        assertThat(tryNext("ann")).isInstanceOf(ClaimOutcome.Nothing.class);
        update(id, null, new WorkChange().status(WorkStatus.OPEN));
        assertThat(next("ann")).isEqualTo(id);
    }

    @Test
    void a_holder_who_sets_another_status_lets_go() {
        String id = create("a");
        Claim claim = claim(id, "ann");
        WorkItem blocked =
                update(id, claim, new WorkChange().status(WorkStatus.BLOCKED).reason("no access"));
        assertThat(blocked.status()).isEqualTo(WorkStatus.BLOCKED);
        assertThat(blocked.blockedReason()).isEqualTo("no access");
        assertThat(blocked.claim()).isNull();
        assertThat(claims.heartbeat(WorkItem.resource(id), claim.fence())).isInstanceOf(Refusal.Lost.class);
        assertThat(work.backlog().blocked(null, 10, null).items())
                .extracting(WorkItem::id)
                .containsExactly(id);
    }

    @Test
    void after_three_failed_attempts_an_item_is_parked_with_the_reason_until_somebody_opens_it() {
        String id = create("hard");
        for (int i = 1; i <= 3; i++) {
            Claim claim = claim(id, "agent-" + i);
            claims.fail(claim.resource(), claim.fence(), "it broke " + i, null);
        }
        WorkItem parked = shown(id);
        assertThat(parked.status()).isEqualTo(WorkStatus.BLOCKED);
        assertThat(parked.parked()).isTrue();
        assertThat(parked.blockedReason()).contains("3 failed attempts").contains("it broke 3");
        assertThat(tryClaim(id, "ann")).isInstanceOf(Refusal.NotClaimable.class);
        update(id, null, new WorkChange().status(WorkStatus.OPEN));
        assertThat(shown(id).attempts()).isZero();
        assertThat(next("ann")).isEqualTo(id);
    }

    @Test
    void what_is_parked_stays_so_when_what_it_waited_for_is_done() {
        String first = create("first");
        String id = create("hard");
        for (int i = 1; i <= 3; i++) {
            Claim claim = claim(id, "agent-" + i);
            if (i == 3) {
                depend(id, first);
            }
            claims.fail(claim.resource(), claim.fence(), "it broke", null);
        }
        done(first, "ann");
        assertThat(shown(id).parked()).isTrue();
        assertThat(status(id)).isEqualTo(WorkStatus.BLOCKED);
    }

    @Test
    void whoever_may_not_have_an_item_is_told_what_is_in_the_way() {
        String first = create("first");
        String second = create("second", first);
        assertHindered(second, "blocked: it waits for " + first);
        update(first, null, new WorkChange().status(WorkStatus.DEFERRED));
        assertHindered(first, "deferred until someone reopens it");
        update(first, null, new WorkChange().status(WorkStatus.BLOCKED).reason("no access"));
        assertHindered(first, "blocked: no access");
        update(first, null, new WorkChange().status(WorkStatus.OPEN));
        done(first, "ann");
        assertHindered(first, "closed");
    }

    private void assertHindered(String id, String why) {
        assertThat(tryClaim(id, "bob")).isEqualTo(new Refusal.NotClaimable(WorkItem.resource(id), why));
    }

    @Test
    void polite_releases_are_no_failed_attempts() {
        String id = create("a");
        for (int i = 0; i < 5; i++) {
            claims.release(claim(id, "ann"), null);
        }
        assertThat(shown(id).attempts()).isZero();
        assertThat(status(id)).isEqualTo(WorkStatus.OPEN);
    }

    @Test
    void the_next_holder_is_handed_the_note_of_the_last_also_when_that_one_died() {
        String id = create("a");
        claims.release(claim(id, "ann"), "half done");
        ClaimOutcome second = tryClaim(id, "bob");
        assertThat(((ClaimOutcome.Granted) second).note()).isEqualTo("half done");
        Claim bobs = WorkClaims.granted(second).orElseThrow();
        update(id, bobs, new WorkChange().note("next: write the test"));
        passTtl();
        ClaimOutcome.Granted third = (ClaimOutcome.Granted) tryClaim(id, "carl");
        assertThat(third.note()).isEqualTo("next: write the test");
        assertThat(third.displaced()).isNotNull();
    }

    @Test
    void closing_with_next_gives_what_was_waiting_for_it_in_the_same_step() {
        String first = create("first");
        String second = work.making()
                .create(NewWork.titled("second").priority(0).dependsOn(Set.of(first)))
                .id();
        create("third");
        Claim claim = claim(first, "ann");
        ItemClosing.Closed closed =
                work.closing().close(first, claim.fence(), "done", NextRequest.of(Kind.WORK, "ann"));
        assertThat(closed.item().status()).isEqualTo(WorkStatus.CLOSED);
        assertThat(closed.item().closeReason()).isEqualTo("done");
        assertThat(closed.item().closedBy()).isEqualTo("ann");
        Claim next = WorkClaims.granted(java.util.Objects.requireNonNull(closed.next()))
                .orElseThrow();
        assertThat(next.resource().id()).isEqualTo(second);
    }

    @Test
    void the_same_close_again_is_the_same_answer_again() {
        String id = create("a");
        Claim claim = claim(id, "ann");
        work.closing().close(id, claim.fence(), "done", null);
        assertThat(work.closing().close(id, claim.fence(), "done", null).replayed())
                .isTrue();
        assertRefused(() -> work.closing().close(id, claim.fence(), "other", null), "bad_state", "already ended");
        assertThat(eventTypes(id)).containsExactly("work_created", "claimed", "work_closed");
    }

    @Test
    void what_nobody_holds_can_be_closed_without_a_claim_but_nothing_that_is_held() {
        String free = create("free");
        String held = create("held");
        claim(held, "ann");
        work.closing().close(free, new Fence("bob", null), "obsolete", null);
        assertThat(status(free)).isEqualTo(WorkStatus.CLOSED);
        assertRefused(
                () -> work.closing().close(held, new Fence("bob", null), null, null),
                "fence_missing",
                "claim_generation");
        assertRefused(
                () -> work.closing().close(free, new Fence("bob", null), null, null), "bad_state", "already closed");
    }

    @Test
    void an_agent_holds_at_most_as_many_as_it_may_however_many_calls_it_makes_at_once() {
        IntStream.range(0, 10).forEach(i -> create("n" + i));
        WorkItems two = limited(2);
        List<CompletableFuture<Boolean>> calls = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> {
                    try {
                        return WorkClaims.granted(two.claiming()
                                        .next(NextRequest.of(Kind.WORK, "ann").requestId("r" + i)))
                                .isPresent();
                    } catch (RefusedException e) {
                        assertThat(e.code()).hasToString("not_claimable");
                        return false;
                    }
                }))
                .toList();
        assertThat(calls.stream().filter(CompletableFuture::join)).hasSize(2);
        assertThat(claims.held(Kind.WORK, "ann", null)).hasSize(2);
        Claim held = claims.held(Kind.WORK, "ann", null).getFirst();
        two.closing().close(held.resource().id(), held.fence(), null, null);
        assertThat(WorkClaims.granted(
                        two.claiming().next(NextRequest.of(Kind.WORK, "ann").requestId("again"))))
                .isPresent();
    }

    @Test
    void whoever_waits_is_woken_when_something_is_set_free_also_with_a_limit() {
        String first = create("first");
        String second = create("second", first);
        Claim claim = claim(first, "ann");
        CompletableFuture<ClaimOutcome> waiting = CompletableFuture.supplyAsync(() ->
                limited(1).claiming().next(NextRequest.of(Kind.WORK, "bob").waiting(Duration.ofSeconds(30))));
        await().until(() -> claims.waiting(Kind.WORK) == 1);
        close(first, claim);
        assertThat(WorkClaims.granted(waiting.join()).orElseThrow().resource().id())
                .isEqualTo(second);
        CompletableFuture<ClaimOutcome> another = CompletableFuture.supplyAsync(() ->
                limited(1).claiming().next(NextRequest.of(Kind.WORK, "carl").waiting(Duration.ofSeconds(30))));
        await().until(() -> claims.waiting(Kind.WORK) == 1);
        String made = create("made");
        assertThat(WorkClaims.granted(another.join()).orElseThrow().resource().id())
                .isEqualTo(made);
    }

    @Test
    void a_release_that_keeps_the_status_leaves_it_in_progress_until_somebody_has_claimed_it() {
        String id = create("a");
        Claim claim = claim(id, "ann");
        claims.release(claim.resource(), claim.fence(), Ending.released(null, true));
        assertThat(status(id)).isEqualTo(WorkStatus.IN_PROGRESS);
        assertThat(tryNext("bob")).isInstanceOf(ClaimOutcome.Nothing.class);
        claims.release(claim(id, "bob"), null);
        assertThat(status(id)).isEqualTo(WorkStatus.OPEN);
        assertThat(next("carl")).isEqualTo(id);
    }
}
