package dev.holdfast.broker.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Fence;
import dev.holdfast.git.FileLines;
import dev.holdfast.git.UnambiguousDiff;
import dev.holdfast.review.Reviews;
import dev.holdfast.review.approval.Approvals;
import dev.holdfast.review.approval.Approvals.Decision;
import dev.holdfast.review.queue.ReviewClaims;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.verdict.Verdicts;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * An approval passes for its own place and no other, in files of few different lines, where almost everything stands more than
 * once. Who is right is told by what the file becomes: on the same file, two changes that leave it the same are the same.
 */
@SuppressWarnings("NullAway.Init") // opened before the properties run
class PlaceProperties {
    private static TestStore on;
    private static Claims claims;
    private static Reviews reviews;

    @BeforeContainer
    static void open() {
        on = TestStore.settable(Engine.SQLITE);
        claims = Claims.over(on.store());
        reviews = Reviews.over(on.store(), claims);
    }

    @AfterTry
    void empty() {
        on.empty();
    }

    @AfterContainer
    static void close() {
        reviews.close();
        claims.close();
        on.close();
    }

    /** How somebody proposes: as the gate does, with a plain diff, without context, or of a version that never was. */
    enum How {
        BY_GATE,
        PLAIN,
        WITHOUT_CONTEXT,
        OF_A_VERSION_THAT_NEVER_WAS
    }

    @Property(tries = 400)
    void what_is_approved_for_one_place_never_passes_for_another_of_the_same_file(
            @ForAll("files") List<String> file,
            @ForAll("edits") Map<Integer, List<String>> some,
            @ForAll("edits") Map<Integer, List<String>> others,
            @ForAll How how) {
        EditedFile approved = new EditedFile(file, within(file, some));
        EditedFile asked = new EditedFile(file, within(file, others));
        Assume.that(!approved.after().equals(file) && !asked.after().equals(file));
        approve(approved, how);
        if (passes(asked, List.of(file))) {
            assertThat(asked.after()).isEqualTo(approved.after());
        }
        boolean asGateAsks = how == How.BY_GATE || how == How.PLAIN;
        assertThat(!asGateAsks || passes(approved, List.of(file))).isTrue();
    }

    /** The lines that came in are like those that are there, so that they may well bring the numbers to another block. */
    @Property(tries = 400)
    void what_is_approved_for_lines_of_one_version_passes_in_the_next_only_if_they_stand_once_in_both(
            @ForAll("files") List<String> file,
            @ForAll("files") List<String> above,
            @ForAll("edits") Map<Integer, List<String>> some,
            @ForAll("edits") Map<Integer, List<String>> others,
            @ForAll How how) {
        List<String> next = Stream.concat(above.stream(), file.stream()).toList();
        EditedFile approved = new EditedFile(file, within(file, some));
        EditedFile asked = new EditedFile(next, within(next, others));
        Assume.that(!above.isEmpty()
                && !approved.after().equals(file)
                && !asked.after().equals(next));
        approve(approved, how);
        if (passes(asked, List.of(file, next))) {
            for (List<String> hunk : oldLines(placed(asked).text())) {
                assertThat(count(file, hunk)).isEqualTo(1);
                assertThat(count(next, hunk)).isEqualTo(1);
            }
        }
    }

    /** Without lines above that stand once, most changes are shown from the first line on: nothing can come in above those. */
    @Property(tries = 400)
    void what_the_gate_has_proposed_passes_after_lines_came_in_elsewhere(
            @ForAll @IntRange(max = 15) int above,
            @ForAll("files") List<String> rest,
            @ForAll("edits") Map<Integer, List<String>> some,
            @ForAll @IntRange(min = 1, max = 9) int more) {
        List<String> file = Stream.concat(numbered("old", above), rest.stream()).toList();
        EditedFile approved = new EditedFile(file, moved(within(rest, some), above));
        Assume.that(!approved.after().equals(file));
        UnambiguousDiff placed = placed(approved);
        assertThat(placed.standsOnce()).isTrue();
        Assume.that(firstShown(placed.text()) > 1);
        approve(approved, How.BY_GATE);

        List<String> longer =
                Stream.concat(numbered("new", more), file.stream()).toList();
        EditedFile moved = new EditedFile(longer, moved(approved.edits(), more));
        assertThat(passes(moved, List.of(longer, file))).isTrue();
        assertThat(passes(moved, List.of(longer)))
                .as("the version that was reviewed is not in its history")
                .isFalse();
    }

    @Property(tries = 1_000)
    void lines_stand_once_if_counting_says_so(
            @ForAll("files") List<String> file,
            @ForAll @IntRange(max = 25) int from,
            @ForAll @IntRange(max = 25) int length,
            @ForAll("files") List<String> other) {
        FileLines read = FileLines.of(EditedFile.content(file));
        int start = Math.min(from, file.size());
        List<String> part = file.subList(start, Math.min(file.size(), start + length));
        for (List<String> wanted : List.of(part, other)) {
            assertThat(read.occurOnce(ended(wanted))).isEqualTo(count(file, wanted) == 1);
        }
    }

    private static void approve(EditedFile change, How how) {
        UnambiguousDiff placed = placed(change);
        String diff = switch (how) {
            case BY_GATE -> placed.text();
            case PLAIN -> placed.plain();
            case WITHOUT_CONTEXT -> change.diff(0);
            case OF_A_VERSION_THAT_NEVER_WAS -> placed.plain().replace(change.version(), "f".repeat(40));
        };
        Proposal proposal =
                Proposal.of("x", "x", "proposer", "1").project("shop").diff(diff);
        String id = reviews.proposals().create(proposal).id();
        ReviewClaims.Granted granted = (ReviewClaims.Granted) reviews.claiming().claim(id, "bob", null, null);
        reviews.receipts().served(reviews.reading().proposal(id, null).orElseThrow(), "bob");
        reviews.verdicts()
                .submit(
                        id,
                        Verdicts.Submission.of(
                                "approved",
                                null,
                                new Fence("bob", granted.claim().generation())),
                        Caller.UNKNOWN);
    }

    /** As the gate asks, where the file has had these versions. */
    private static boolean passes(EditedFile change, List<List<String>> history) {
        UnambiguousDiff placed = placed(change);
        Decision answer = reviews.approvals().checkDiff("shop", placed.text());
        if (answer instanceof Decision.NotApproved not) {
            Optional<String> from = not.movable().stream()
                    .filter(moved -> placed.hasOnlyMoved(
                            moved.files().stream()
                                    .map(file ->
                                            new UnambiguousDiff.Reviewed(file.oldPath(), file.reviewed(), file.asked()))
                                    .toList(),
                            (_, id) -> version(history, id)))
                    .map(Approvals.Moved::reviewId)
                    .findFirst();
            answer = from.isPresent()
                    ? reviews.approvals().checkDiff("shop", placed.text(), from.get(), placed.digits())
                    : reviews.approvals().checkDiff("shop", placed.plain());
        }
        return answer instanceof Decision.Approved;
    }

    private static Optional<byte[]> version(List<List<String>> history, String id) {
        return history.stream()
                .filter(lines -> EditedFile.version(lines).startsWith(id))
                .map(EditedFile::content)
                .findFirst();
    }

    private static int count(List<String> file, List<String> wanted) {
        if (wanted.isEmpty()) {
            return file.isEmpty() ? 1 : file.size() + 1;
        }
        return (int) IntStream.rangeClosed(0, file.size() - wanted.size())
                .filter(at -> file.subList(at, at + wanted.size()).equals(wanted))
                .count();
    }

    private static List<List<String>> oldLines(String diff) {
        List<List<String>> hunks = new ArrayList<>();
        for (String line : diff.substring(diff.indexOf("@@ -")).split("\n")) {
            if (line.startsWith("@@ -")) {
                hunks.add(new ArrayList<>());
            } else if (!line.startsWith("+")) {
                hunks.getLast().add(line.substring(1));
            }
        }
        return hunks;
    }

    private static UnambiguousDiff placed(EditedFile change) {
        return UnambiguousDiff.of(change);
    }

    private static int firstShown(String diff) {
        int start = diff.indexOf("@@ -") + 4;
        return Integer.parseInt(diff.substring(start, diff.indexOf(',', start)));
    }

    private static Map<Integer, List<String>> within(List<String> file, Map<Integer, List<String>> edits) {
        Map<Integer, List<String>> within = new HashMap<>();
        edits.forEach((at, lines) -> within.put(Math.min(at, file.size()), lines));
        return within;
    }

    private static Stream<String> numbered(String word, int count) {
        return IntStream.range(0, count).mapToObj(at -> word + " " + at);
    }

    private static Map<Integer, List<String>> moved(Map<Integer, List<String>> edits, int down) {
        Map<Integer, List<String>> moved = new HashMap<>();
        edits.forEach((at, lines) -> moved.put(at + down, lines));
        return moved;
    }

    private static List<String> ended(List<String> lines) {
        return lines.stream().map(line -> line + "\n").toList();
    }

    @Provide
    Arbitrary<List<String>> files() {
        return Combinators.combine(
                        Arbitraries.of("a", "b").list().ofMaxSize(25),
                        Arbitraries.of("a", "b", "c").list().ofMaxSize(25),
                        Arbitraries.of("a", "b", "c", "d").list().ofMinSize(1).ofMaxSize(4),
                        Arbitraries.integers().between(0, 2))
                .as((two, three, block, kind) -> switch (kind) {
                    case 0 -> two;
                    case 1 -> three;
                    default ->
                        IntStream.range(0, 6)
                                .mapToObj(_ -> block)
                                .flatMap(List::stream)
                                .toList();
                });
    }

    @Provide
    Arbitrary<Map<Integer, List<String>>> edits() {
        return Arbitraries.maps(
                        Arbitraries.integers().between(0, 25),
                        Arbitraries.of("a", "b", "x").list().ofMaxSize(2))
                .ofMinSize(1)
                .ofMaxSize(3);
    }
}
