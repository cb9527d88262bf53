package dev.holdfast.review.reading;

import dev.holdfast.agent.Caller;
import dev.holdfast.agent.RelatedAgents;
import dev.holdfast.claim.Claim;
import dev.holdfast.review.queue.ReviewClaims;
import dev.holdfast.review.record.ProposerTable;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewRow;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.review.record.Revision;
import dev.holdfast.review.record.RevisionTable;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who was shown what of the content before judging it. Every interface that shows content records it here.
 *
 * <ol>
 *   <li>The diff has to be read or, if there is none, the description. If there is neither, nothing has to be read.
 *   <li>A receipt covers one grant and one content: after a new claim, a revision or an accepted counter-patch it
 *       starts from nothing. It does not help that the holder has the same name: another session may be using it.
 *   <li>Only the holder of the review gets one, and only if the call says who it is. (A review in review that nobody
 *       holds was imported: there, any named caller gets one.) What the proposer asks for counts as shown to the
 *       proposer, whatever name it gives.
 *   <li>It is durable before the content is sent. What was shown before is not written again.
 *   <li>An approval is checked against it under the review's lock, in the verdict's transaction.
 * </ol>
 */
public record Receipts(ReviewChanges changes, boolean required) {
    private static final int MAX_SHOWN = 20;

    /**
     * Records that all of the content is about to be shown.
     *
     * @param reader who it is for; null: unknown, so it counts for nobody
     * @throws dev.holdfast.store.BusyException if that could not be recorded; then it must not be shown
     */
    public void served(ProposalReader.Shown shown, @Nullable String reader) {
        served(shown, reader, TextSlice.of(shown.revision().diff(), 0, Integer.MAX_VALUE));
    }

    /**
     * As above, for a part of the diff. Description and intent are shown with every part.
     *
     * @param part {@link TextSlice#NONE}: something other than the diff is shown, such as what changed since another round
     */
    public void served(ProposalReader.Shown shown, @Nullable String reader, TextSlice part) {
        served(shown, reader, part, () -> Caller.UNKNOWN);
    }

    /** @param by who asks for it, whoever it says it is for */
    public void served(ProposalReader.Shown shown, @Nullable String reader, TextSlice part, Supplier<Caller> by) {
        Review review = shown.review();
        if (reader == null || !review.status().underReview()) {
            return;
        }
        if (review.status() == ReviewStatus.CLAIMED && !reader.equals(review.claimedBy())) {
            return;
        }
        Served served = Served.of(review.id(), shown.revision(), reader, part);
        if (changes.store().read(transaction -> served.isNews(transaction, review.generation()))) {
            Caller caller = by.get();
            changes.on(
                    review.id(),
                    locked -> !isByProposer(locked.transaction(), review.id(), caller) && note(locked, served));
        }
    }

    /** Whether a caller is the review's proposer, or one of its kin, by its process, whatever name it gives. */
    public boolean isByProposer(String review, Caller caller) {
        return changes.store().read(transaction -> isByProposer(transaction, review, caller));
    }

    private static boolean isByProposer(Transaction transaction, String review, Caller caller) throws SQLException {
        if (caller.sessions().isEmpty()) {
            return false;
        }
        Set<String> kin = RelatedAgents.of(transaction, caller.sessions());
        return ProposerTable.all(transaction, review).stream().anyMatch(proposer -> proposer.isOneOf(kin));
    }

    /** The answer to a claim shows the description, which is all there is to read if there is no diff. */
    public void served(ReviewClaims.Granted granted) {
        Revision revision = granted.revision();
        if (!revision.hasDiff() && !revision.toRead().isEmpty()) {
            Served served =
                    Served.of(granted.review().id(), revision, granted.claim().holder(), TextSlice.NONE);
            changes.on(granted.review().id(), locked -> note(locked, served));
        }
    }

    /** Which parts of the content the reader has been shown under the current claim, in order. */
    public List<TextSlice> shownTo(ProposalReader.Shown shown, String reader) {
        Revision revision = shown.revision();
        ReceiptTable.Key key = new ReceiptTable.Key(
                shown.review().id(),
                revision.round(),
                revision.number(),
                shown.review().generation(),
                reader);
        return changes.store().read(transaction -> ReceiptTable.find(transaction, key)).stream()
                .flatMap(stored -> stored.ranges().all().stream()
                        .map(range -> new TextSlice(null, range.from(), range.to(), stored.whole())))
                .toList();
    }

    /** The receipts for the content under review, the newest claim first. */
    public List<Receipt> of(String id) {
        return changes.store().read(transaction -> ReceiptTable.ofCurrent(transaction, id, MAX_SHOWN));
    }

    /** @return whether anything was new */
    private static boolean note(ReviewChanges.Locked locked, Served served) throws SQLException {
        ReviewRow review = locked.review();
        Claim claim = locked.claimState().claim();
        boolean judges = claim == null
                ? review.stored == ReviewStatus.IN_REVIEW
                : claim.holder().equals(served.reader());
        if (!judges || review.round != served.round() || review.revisionNumber != served.number()) {
            return false; // meanwhile it went to somebody else, or its content changed
        }
        if (review.unservedGeneration != null) {
            review.unservedGeneration = null;
            locked.save();
        }
        return served.add(locked.transaction(), locked.claimState().generation(), locked.now());
    }

    /**
     * How much of the content under review the reviewer has been shown.
     *
     * @param reviewer null: unknown, and so is whether anything was read
     */
    public Pending<ReadProgress> askReadSoFar(ReviewChanges.Locked locked, @Nullable String reviewer)
            throws SQLException {
        ReviewRow review = locked.review();
        if (reviewer == null) {
            return () -> nothingRead(locked, null);
        }
        Pending<Optional<ReceiptTable.Stored>> receipt = ReceiptTable.ask(
                locked.transaction(),
                new ReceiptTable.Key(
                        review.id,
                        review.round,
                        review.revisionNumber,
                        locked.claimState().generation(),
                        reviewer));
        return () -> {
            Optional<ReceiptTable.Stored> stored = receipt.get();
            return stored.isPresent()
                    ? new ReadProgress(
                            review.revision,
                            reviewer,
                            stored.get().ranges(),
                            stored.get().whole())
                    : nothingRead(locked, reviewer);
        };
    }

    private static ReadProgress nothingRead(ReviewChanges.Locked locked, @Nullable String reviewer)
            throws SQLException {
        ReviewRow review = locked.review();
        int whole =
                RevisionTable.current(locked.transaction(), review.id).toRead().length();
        return new ReadProgress(review.revision, reviewer, Ranges.NONE, whole);
    }

    /** @throws dev.holdfast.claim.RefusedException if an approval needs more to be read, saying what */
    public void checkApproval(ReadProgress read) {
        if (required) {
            read.checkAll();
        }
    }

    /** Characters of the content that are about to be shown to a reader. */
    private record Served(String reviewId, int round, int number, String reader, int from, int to, int whole) {
        static Served of(String id, Revision revision, String reader, TextSlice part) {
            int whole = revision.toRead().length();
            int from = revision.hasDiff() ? part.from() : 0;
            int to = revision.hasDiff() ? part.to() : whole;
            return new Served(id, revision.round(), revision.number(), reader, from, to, whole);
        }

        /** Checks without a lock, so that showing something again needs no write. */
        boolean isNews(Transaction transaction, long generation) throws SQLException {
            Pending<Optional<ReceiptTable.Stored>> receipt = ReceiptTable.ask(transaction, key(generation));
            boolean unserved = ReviewTable.find(transaction, reviewId)
                    .filter(review -> review.unservedGeneration != null)
                    .isPresent();
            Ranges before = receipt.get().map(ReceiptTable.Stored::ranges).orElse(Ranges.NONE);
            return unserved || !before.with(from, to).equals(before);
        }

        boolean add(Transaction transaction, long generation, long now) throws SQLException {
            Ranges before = before(transaction, generation);
            Ranges after = before.with(from, to);
            if (after.equals(before)) {
                return false;
            }
            ReceiptTable.put(transaction, key(generation), new ReceiptTable.Stored(after, whole), now);
            return true;
        }

        private Ranges before(Transaction transaction, long generation) throws SQLException {
            return ReceiptTable.find(transaction, key(generation))
                    .map(ReceiptTable.Stored::ranges)
                    .orElse(Ranges.NONE);
        }

        private ReceiptTable.Key key(long generation) {
            return new ReceiptTable.Key(reviewId, round, number, generation, reader);
        }
    }
}
