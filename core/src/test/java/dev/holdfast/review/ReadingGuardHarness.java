package dev.holdfast.review;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Fence;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.reading.ProposalReader;
import dev.holdfast.review.reading.TextSlice;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.verdict.Verdicts;
import dev.holdfast.store.Engine;
import dev.holdfast.testing.Checker;
import dev.holdfast.testing.TestStore;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tries to get approved what was not read, in each way that must not work. */
final class ReadingGuardHarness {
    private static final String DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    private static final String OTHER = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+c\n";

    private final Reviews reviews;

    private ReadingGuardHarness(Reviews reviews) {
        this.reviews = reviews;
    }

    /** The attempts, on the database that is named; none: SQLite. */
    public static final class Attempts implements Checker {
        @Override
        public Optional<String> objection(List<String> arguments) {
            try (TestStore on = arguments.isEmpty()
                            ? TestStore.ticking(Engine.SQLITE)
                            : TestStore.ticking(arguments.getFirst());
                    Claims claims = Claims.over(on.store());
                    Reviews reviews = Reviews.over(on.store(), claims)) {
                ReadingGuardHarness harness = new ReadingGuardHarness(reviews);
                if (!harness.approvesWhatWasRead()) {
                    throw new IllegalStateException("what was read was not approved");
                }
                return harness.approvedUnread().stream().findFirst();
            }
        }
    }

    private boolean approvesWhatWasRead() {
        String id = claimed();
        read(id, "ann");
        return approve(id, "ann");
    }

    private List<String> approvedUnread() {
        String untouched = claimed();

        String part = claimed();
        ProposalReader.Shown shown = reviews.reading().proposal(part, null).orElseThrow();
        reviews.receipts().served(shown, "ann", TextSlice.of(DIFF, 0, DIFF.length() - 1));

        String byOthers = claimed();
        read(byOthers, "bob");
        read(byOthers, null);

        String beforeTheClaim = reviews.proposals()
                .create(Proposal.of("i", "p", "proposer", "1").diff(DIFF))
                .id();
        read(beforeTheClaim, "ann");
        reviews.claiming().claim(beforeTheClaim, "ann", null, null);

        String underAnotherClaim = claimed();
        read(underAnotherClaim, "ann");
        reviews.reclaims().reclaim(underAnotherClaim, "claim_timeout");
        reviews.claiming().claim(underAnotherClaim, "ann", null, null);

        String anotherContent = claimed();
        read(anotherContent, "ann");
        reviews.verdicts()
                .submit(
                        anotherContent,
                        Verdicts.Submission.of("comment", "rather so", new Fence("ann", null))
                                .counterPatch(OTHER),
                        Caller.UNKNOWN);
        reviews.counterPatches().accept(anotherContent, null, Caller.UNKNOWN, false);

        return List.of(untouched, part, byOthers, beforeTheClaim, underAnotherClaim, anotherContent).stream()
                .filter(id -> approve(id, "ann"))
                .toList();
    }

    private String claimed() {
        String id = reviews.proposals()
                .create(Proposal.of("i", "p", "proposer", "1").diff(DIFF))
                .id();
        reviews.claiming().claim(id, "ann", null, null);
        return id;
    }

    private void read(String id, @Nullable String reader) {
        reviews.receipts().served(reviews.reading().proposal(id, null).orElseThrow(), reader);
    }

    private boolean approve(String id, String reviewer) {
        String revision = reviews.catalogue().find(id).orElseThrow().revision();
        try {
            reviews.verdicts()
                    .submit(
                            id,
                            Verdicts.Submission.of("approved", null, new Fence(reviewer, null))
                                    .revision(revision),
                            Caller.UNKNOWN);
            return true;
        } catch (RefusedException _) {
            return false;
        }
    }
}
