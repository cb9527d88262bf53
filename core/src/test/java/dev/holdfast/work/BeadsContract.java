package dev.holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Filter;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.Refusal;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestStore;
import dev.holdfast.work.beads.Beads;
import dev.holdfast.work.beads.BeadsExport;
import dev.holdfast.work.beads.BeadsReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** beads exports: taken in, given out again without loss, and taken in once more. */
abstract class BeadsContract extends OnBacklog {
    private final int many;

    /** @param many issues of a large backlog */
    BeadsContract(Engine engine, int many) {
        super(engine);
        this.many = many;
    }

    private BeadsReport take(String... lines) {
        return Beads.of(work).importing().take(List.of(lines), "", false, _ -> true);
    }

    private List<String> export() {
        return export(work);
    }

    private static List<String> export(WorkItems work) {
        List<String> lines = new ArrayList<>();
        @Nullable String cursor = null;
        do {
            BeadsExport.Part part = Beads.of(work).exporting().part(null, 500, 1_000_000, cursor, null);
            lines.addAll(part.lines());
            cursor = part.next();
        } while (cursor != null);
        return lines;
    }

    @Test
    void thousands_of_issues_with_every_field_go_in_and_out_byte_for_byte_and_in_again() {
        List<String> lines = new BeadsSample(7).issues(many);
        List<String> expected = lines.stream().sorted().toList();
        int created = 0;
        for (int from = 0; from < lines.size(); from += 1_000) {
            List<String> part = lines.subList(from, from + 1_000);
            BeadsReport report = Beads.of(work).importing().take(part, "", from + 1_000 < lines.size(), _ -> true);
            created += report.created();
            assertThat(report.problems())
                    .allSatisfy(problem -> assertThat(problem.text()).contains("depend on each other"));
        }
        assertThat(created).isEqualTo(many);
        List<String> out = export();
        assertThat(out.stream().sorted().toList()).isEqualTo(expected);

        BeadsReport again = Beads.of(work).importing().take(out, "", false, _ -> true);
        assertThat(again.unchanged()).isEqualTo(many);
        try (TestStore other = TestStore.settable(Engine.SQLITE);
                Claims elsewhere = Claims.over(other.store())) {
            WorkItems second = WorkItems.over(other.store(), elsewhere);
            assertThat(Beads.of(second)
                            .importing()
                            .take(out, "", false, _ -> true)
                            .created())
                    .isEqualTo(many);
            assertThat(export(second)).isEqualTo(out);
        }
        // nobody is given what is closed, blocked, put off, held or no work at all
        int given = 0;
        for (WorkItem item : work.backlog().ready(Filter.ANY, many, null).items()) {
            assertThat(item.status()).isEqualTo(WorkStatus.OPEN);
            assertThat(item.blockedBy()).isEmpty();
            given++;
        }
        assertThat(given).isPositive();
    }

    @Test
    void what_has_changed_here_is_changed_in_its_line_and_nothing_else_is() {
        take(
                "{\"id\":\"bd-1\",\"title\":\"a\",\"odd\":1.10,\"status\":\"open\",\"priority\":2,\"issue_type\":\"task\"}");
        update("bd-1", null, new WorkChange().title("b").labels(Set.of("x")));
        String line = export().getFirst();
        assertThat(line)
                .startsWith(
                        "{\"id\":\"bd-1\",\"title\":\"b\",\"odd\":1.10,\"status\":\"open\",\"priority\":2,\"issue_type\":\"task\",\"labels\":[\"x\"]");
        assertThat(take(line).unchanged()).isEqualTo(1);
        assertThat(export()).containsExactly(line);
    }

    @Test
    void an_import_does_not_undo_what_was_done_here_unless_the_line_has_changed_there() {
        take("{\"id\":\"bd-1\",\"title\":\"a\",\"priority\":2}");
        update("bd-1", null, new WorkChange().title("mine").priority(0));
        assertThat(take("{\"id\":\"bd-1\",\"title\":\"a\",\"priority\":2}").unchanged())
                .isEqualTo(1);
        assertThat(take("{\"id\":\"bd-1\",\"title\":\"theirs\",\"priority\":2}").updated())
                .isEqualTo(1);
        assertThat(shown("bd-1").title()).isEqualTo("theirs");
        assertThat(shown("bd-1").priority()).isZero();
    }

    @Test
    void what_somebody_works_on_is_held_by_the_assignee_for_the_normal_time() {
        take(
                "{\"id\":\"bd-1\",\"title\":\"a\",\"status\":\"in_progress\",\"assignee\":\"ann\",\"priority\":1}",
                "{\"id\":\"bd-2\",\"title\":\"b\",\"status\":\"in_progress\",\"priority\":1}");
        Claim claim = claims.held(Kind.WORK, "ann", null).getFirst();
        assertThat(claim.expiresAt()).isEqualTo(on.settableClock().now().plus(TTL));
        assertThat(tryClaim("bd-1", "bob")).isInstanceOf(Refusal.Held.class);
        assertThat(claims.heartbeat("ann").extended()).hasSize(1);
        assertThat(next("bob")).isEqualTo("bd-2");
        passTtl();
        assertThat(tryClaim("bd-1", "bob")).isInstanceOf(ClaimOutcome.Granted.class);
    }

    @Test
    void dependencies_hold_back_wherever_in_the_export_they_stand() {
        Beads.of(work)
                .importing()
                .take(
                        List.of(
                                "{\"id\":\"bd-2\",\"title\":\"b\",\"dependencies\":[{\"issue_id\":\"bd-2\",\"depends_on_id\":\"bd-1\",\"type\":\"blocks\"}]}"),
                        "",
                        true,
                        _ -> true);
        assertThat(tryNext("ann")).isInstanceOf(ClaimOutcome.Nothing.class);
        assertThat(shown("bd-2").blockedReason()).contains("import");
        take("{\"id\":\"bd-1\",\"title\":\"a\"}");
        assertThat(next("ann")).isEqualTo("bd-1");
        assertThat(status("bd-2")).isEqualTo(WorkStatus.BLOCKED);
        Claim claim = claims.held(Kind.WORK, "ann", null).getFirst();
        close("bd-1", claim);
        assertThat(next("ann")).isEqualTo("bd-2");
    }

    @Test
    void a_time_that_no_store_can_keep_stays_in_its_line_only() {
        String line = "{\"id\":\"bd-1\",\"title\":\"a\",\"created_at\":\"+999999999-12-31T23:59:59Z\"}";

        assertThat(take(line).created()).isEqualTo(1);
        assertThat(export()).containsExactly(line);
    }

    @Test
    void a_number_that_nobody_can_keep_costs_its_line_only() {
        BeadsReport report = take(
                "{\"id\":\"bd-1\",\"title\":\"a\",\"estimated_minutes\":1E-400253402300800}",
                "{\"id\":\"bd-2\",\"title\":\"b\"}");

        assertThat(report.created()).isEqualTo(1);
        assertThat(report.problems()).extracting(BeadsReport.Problem::line).containsExactly(1);
    }

    @Test
    void a_type_that_is_too_long_costs_its_line_only() {
        String memory = "{\"_type\":\"memory\",\"key\":\"k\"}";
        BeadsReport report = take(
                "{\"id\":\"bd-1\",\"title\":\"a\",\"issue_type\":\"" + "x".repeat(WorkLimits.LONGEST_WORD) + "\"}",
                memory,
                "{\"id\":\"bd-2\",\"title\":\"b\",\"issue_type\":\"" + "x".repeat(WorkLimits.LONGEST_TYPE) + "\"}");

        assertThat(report.problems())
                .singleElement()
                .isEqualTo(new BeadsReport.Problem(1, "issue_type is longer than 194 characters"));
        assertThat(report.created()).isEqualTo(1);
        assertThat(report.memories()).isEqualTo(1);
        assertThat(export()).hasSize(2).contains(memory);
    }

    @Test
    void text_that_no_store_can_keep_costs_its_line_only() {
        String nul = "\"a\\u0000b\"";
        List<String> lines = new ArrayList<>();
        for (String field : List.of(
                "id",
                "title",
                "description",
                "status",
                "issue_type",
                "assignee",
                "queue",
                "external_ref",
                "created_by")) {
            String others = field.equals("title") ? "" : "\"title\":\"a\",";
            lines.add("{" + others + "\"" + field + "\":" + nul + "}");
        }
        lines.add("{\"title\":\"a\",\"queue\":\"half \\ud800\"}");
        lines.add("{\"title\":\"a\",\"status\":\"closed\",\"close_reason\":" + nul + "}");
        lines.add("{\"title\":\"a\",\"labels\":[" + nul + "]}");
        lines.add("{\"title\":\"a\",\"dependencies\":[{\"depends_on_id\":" + nul + "}]}");
        lines.add("{\"_type\":" + nul + ",\"key\":\"k\"}");
        lines.add("{\"_type\":\"memory\",\"key\":" + nul + "}");
        int bad = lines.size();
        lines.add("{\"id\":\"bd-1\",\"title\":\"a\",\"notes\":" + nul + ",\"metadata\":{\"k\":" + nul + "}}");

        BeadsReport report = take(lines.toArray(String[]::new));

        assertThat(report.problems())
                .extracting(BeadsReport.Problem::line)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, bad).boxed().toList());
        assertThat(report.created()).isEqualTo(1);
        assertThat(export()).containsExactly(lines.getLast());
    }

    @Test
    void a_circle_is_kept_and_told_but_holds_nothing_back() {
        BeadsReport report = take(
                "{\"id\":\"bd-1\",\"title\":\"a\",\"dependencies\":[{\"depends_on_id\":\"bd-2\",\"type\":\"blocks\"}]}",
                "{\"id\":\"bd-2\",\"title\":\"b\",\"dependencies\":[{\"depends_on_id\":\"bd-1\",\"type\":\"blocks\"}]}");
        assertThat(report.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.text()).contains("depend on each other"));
        assertThat(work.backlog().ready(Filter.ANY, 10, null).items()).hasSize(1);
        assertThat(export()).hasSize(2);
    }

    @Test
    void bad_lines_are_told_by_number_and_the_others_are_taken() {
        BeadsReport report = take(
                "{\"_schema\":\"beads-jsonl/1\"}",
                "not json",
                "[]",
                "{\"id\":\"bd-1\"}",
                "{\"id\":\"bd-2\",\"title\":\"ok\",\"priority\":9}",
                "{\"id\":\"bd-3\",\"title\":\"gone\",\"status\":\"tombstone\"}",
                "",
                "{\"_type\":\"memory\",\"key\":\"k\",\"value\":\"v\"}",
                "{\"id\":\"bd-4\",\"title\":\"fine\"}");
        assertThat(report.created()).isEqualTo(1);
        assertThat(report.skipped()).isEqualTo(2);
        assertThat(report.memories()).isEqualTo(1);
        assertThat(report.problems()).extracting(BeadsReport.Problem::line).containsExactly(2, 3, 4, 5);
        assertThat(export())
                .containsExactly(
                        "{\"id\":\"bd-4\",\"title\":\"fine\"}", "{\"_type\":\"memory\",\"key\":\"k\",\"value\":\"v\"}");
    }

    @Test
    void closed_there_is_closed_here_unless_somebody_is_at_work_on_it() {
        take("{\"id\":\"bd-1\",\"title\":\"a\"}", "{\"id\":\"bd-2\",\"title\":\"b\"}");
        claim("bd-2", "ann");
        BeadsReport report = take(
                "{\"id\":\"bd-1\",\"title\":\"a\",\"status\":\"closed\",\"closed_at\":\"2026-02-03T04:05:06Z\"}",
                "{\"id\":\"bd-2\",\"title\":\"b\",\"status\":\"closed\"}");
        assertThat(status("bd-1")).isEqualTo(WorkStatus.CLOSED);
        assertThat(status("bd-2")).isEqualTo(WorkStatus.IN_PROGRESS);
        assertThat(report.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.text()).contains("ann holds it here"));
        take("{\"id\":\"bd-1\",\"title\":\"a\",\"status\":\"open\"}");
        assertThat(status("bd-1")).isEqualTo(WorkStatus.OPEN);
    }

    @Test
    void an_import_leaves_what_somebody_holds_as_it_is_and_says_so() {
        take("{\"id\":\"bd-1\",\"title\":\"a\",\"priority\":2}");
        Claim held = claim("bd-1", "ann");
        String line = "{\"id\":\"bd-1\",\"title\":\"theirs\",\"priority\":0,\"assignee\":\"bob\"}";
        BeadsReport report = take(line);
        assertThat(report.updated() + report.unchanged()).isZero();
        assertThat(report.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.text()).contains("bd-1", "ann holds it here", "left alone"));
        assertThat(shown("bd-1").title()).isEqualTo("a");
        assertThat(shown("bd-1").priority()).isEqualTo(2);
        assertThat(shown("bd-1").assignee()).isNull();
        update("bd-1", held, new WorkChange().status(WorkStatus.OPEN));
        assertThat(take(line).updated()).as("once it is released").isEqualTo(1);
        assertThat(shown("bd-1").title()).isEqualTo("theirs");
    }

    @Test
    void items_made_here_go_out_as_beads_knows_them() {
        String first = create("first");
        WorkItem second = work.making()
                .create(NewWork.titled("second")
                        .labels(Set.of("x"))
                        .dependsOn(Set.of(first))
                        .actor("ann"));
        claim(first, "bob");
        List<String> lines = export();
        assertThat(lines)
                .hasSize(2)
                .anySatisfy(line -> assertThat(line)
                        .contains(
                                "\"id\":\"" + second.id() + "\"",
                                "\"status\":\"open\"",
                                "\"depends_on_id\":\"" + first + "\""));
        assertThat(lines)
                .anySatisfy(line -> assertThat(line).contains("\"status\":\"in_progress\"", "\"assignee\":\"bob\""));
        on.settableClock().advance(Duration.ofMinutes(1));
        assertThat(Beads.of(work).importing().take(lines, "", false, _ -> true).problems())
                .isEmpty();
        assertThat(export()).isEqualTo(lines);
    }
}
