package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.figures.Statistics;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Page;
import dev.holdfast.review.record.Project;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.RefusedRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The figures that are added up as things happen are those that the whole history gives. */
abstract class FiguresContract extends OnReviews {
    private static final List<String> PROJECTS = List.of("Web Shop", "api");

    FiguresContract(Engine engine) {
        super(engine);
    }

    @Test
    void figures_added_up_piece_by_piece_are_those_of_the_whole_history() {
        Random random = new Random(7);
        List<String> ids = new ArrayList<>();
        for (int step = 0; step < 400; step++) {
            on.settableClock().advance(Duration.ofNanos(1_000L * random.nextInt(5_000_000)));
            if (ids.isEmpty() || random.nextInt(5) == 0) {
                ids.add(reviews.proposals()
                        .create(proposal()
                                .project(PROJECTS.get(random.nextInt(2)))
                                .category(random.nextBoolean() ? "code_change" : null))
                        .id());
            } else {
                act(random, ids.get(random.nextInt(ids.size())));
            }
            if (random.nextInt(20) == 0) {
                reviews.statistics().catchUp();
            }
        }
        assertThat(reviews.statistics().of(null)).isEqualTo(ofHistory(null));
        for (String project : PROJECTS) {
            assertThat(reviews.statistics().of(project)).isEqualTo(ofHistory(project));
        }
    }

    private void act(Random random, String id) {
        try {
            switch (random.nextInt(9)) {
                case 0, 1, 2 -> claim(id, "reviewer-" + random.nextInt(3));
                case 3 -> verdict(id, "approved", null, null, shown(id).generation());
                case 4 -> verdict(id, "changes_requested", "no", null, shown(id).generation());
                case 5 -> verdict(id, "comment", "hm", null, shown(id).generation());
                case 6 -> revise(id, proposal().project(null));
                case 7 -> reviews.proposals().close(id, "proposer");
                default -> giveUp(random, id);
            }
        } catch (RefusedException _) {
            // not possible in its state: another step will be
        }
    }

    private void giveUp(Random random, String id) {
        List<Claim> held = claims.held(Kind.REVIEW, null, null).stream()
                .filter(claim -> claim.resource().id().equals(id))
                .toList();
        if (held.isEmpty()) {
            withdraw(id, "not wanted");
        } else if (random.nextBoolean()) {
            reviews.claiming().release(id, held.getFirst().fence(), null);
        } else {
            on.settableClock().advance(Duration.ofMinutes(21));
            claims.sweep(100);
        }
    }

    @Test
    void a_revision_for_another_project_counts_there() {
        String id = create();
        claim(id, "reviewer-a");
        verdict(id, "changes_requested", "no", "reviewer-a", 1L);
        reviews.statistics().catchUp();
        revise(id, proposal().project("api"));
        assertThat(reviews.statistics().of("web shop").total()).isZero();
        assertThat(reviews.statistics().of("web shop").approvalRate()).isNull();
        assertThat(reviews.statistics().of("api").byStatus()).containsEntry("pending", 1L);
        assertThat(reviews.statistics().of("api").approvalRate()).isEqualTo(0.0);
    }

    @Test
    void an_event_that_cannot_be_read_is_left_out_and_everything_after_it_counts() {
        create();
        String bad = create();
        RefusedRow.execute(on, List.of("UPDATE events SET detail = 'no JSON' WHERE resource = 'review:" + bad + "'"));
        create();
        assertThat(reviews.statistics().of(null).total()).isEqualTo(2);
    }

    @Test
    void several_brokers_count_everything_once() {
        for (int i = 0; i < 40; i++) {
            String id = create();
            claim(id, "reviewer-a");
            verdict(id, "approved", null, "reviewer-a", 1L);
        }
        try (Claims others = Claims.over(on.store());
                Reviews second = Reviews.over(on.store(), others)) {
            List<CompletableFuture<Void>> counting = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Statistics one = i % 2 == 0 ? reviews.statistics() : second.statistics();
                counting.add(CompletableFuture.runAsync(one::catchUp));
            }
            counting.forEach(CompletableFuture::join);
            assertThat(second.statistics().of(null).byStatus()).containsEntry("approved", 40L);
            assertThat(second.statistics().of(null).total()).isEqualTo(40);
        }
    }

    /** From scratch, one review after the other. */
    private Statistics.Found ofHistory(@Nullable String project) {
        Map<String, List<AuditEvent>> lives = new TreeMap<>();
        reviews.history()
                .events(null, Page.Request.ALL)
                .entries()
                .forEach(event -> lives.computeIfAbsent(event.reviewId(), _ -> new ArrayList<>())
                        .add(event));
        Map<String, Long> byStatus = new HashMap<>();
        ReviewStatus.words().forEach(word -> byStatus.put(word, 0L));
        Map<String, Long> byCategory = new HashMap<>();
        Map<String, List<Long>> stays = new HashMap<>();
        List<Long> toVerdict = new ArrayList<>();
        List<Long> durations = new ArrayList<>();
        long approved = 0;
        for (Map.Entry<String, List<AuditEvent>> life : lives.entrySet()) {
            Review review = shown(life.getKey());
            if (project != null && !Project.key(project).equals(Project.key(review.project()))) {
                continue;
            }
            byStatus.merge(review.status().toString(), 1L, Long::sum);
            byCategory.merge(review.category() == null ? "uncategorized" : review.category(), 1L, Long::sum);
            @Nullable String status = null;
            Instant since = review.createdAt();
            boolean judged = false;
            boolean everApproved = false;
            for (AuditEvent event : life.getValue()) {
                if (event.newStatus() != null && !event.newStatus().equals(status)) {
                    if (status != null) {
                        stays.computeIfAbsent(status, _ -> new ArrayList<>()).add(micros(since, event.at()));
                    }
                    status = event.newStatus();
                    since = event.at();
                }
                if (event.type().equals("verdict_submitted")) {
                    if (!judged) {
                        toVerdict.add(micros(review.createdAt(), event.at()));
                    }
                    judged = true;
                    everApproved |= "approved".equals(event.newStatus());
                }
                if (event.type().equals("review_closed")) {
                    durations.add(micros(review.createdAt(), event.at()));
                }
            }
            approved += everApproved ? 1 : 0;
        }
        Map<String, Long> inState = new HashMap<>();
        stays.forEach((status, times) -> inState.put(status, average(times)));
        return new Statistics.Found(
                byStatus.values().stream().mapToLong(Long::longValue).sum(),
                byStatus,
                byCategory,
                toVerdict.isEmpty() ? null : Math.round(1_000.0 * approved / toVerdict.size()) / 10.0,
                average(toVerdict),
                average(durations),
                inState);
    }

    private static long micros(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / 1_000;
    }

    private static @Nullable Long average(List<Long> times) {
        return times.isEmpty()
                ? null
                : Math.round((double) times.stream().mapToLong(Long::longValue).sum() / times.size());
    }
}
