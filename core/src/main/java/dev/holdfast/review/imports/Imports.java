package dev.holdfast.review.imports;

import dev.holdfast.agent.Caller;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.DomainEvent;
import dev.holdfast.claim.ImportedResource;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.LockedClaim;
import dev.holdfast.claim.NewResource;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.TransactionalClaims;
import dev.holdfast.review.approval.Independence;
import dev.holdfast.review.record.Content;
import dev.holdfast.review.record.Metadata;
import dev.holdfast.review.record.Priority;
import dev.holdfast.review.record.Project;
import dev.holdfast.review.record.Proposal;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewChanges;
import dev.holdfast.review.record.ReviewLimits;
import dev.holdfast.review.record.ReviewRow;
import dev.holdfast.review.record.ReviewStatus;
import dev.holdfast.review.record.ReviewTable;
import dev.holdfast.review.record.ReviewerIdentity;
import dev.holdfast.review.record.RevisionTable;
import dev.holdfast.review.record.Verdict;
import dev.holdfast.review.record.VerdictTable;
import dev.holdfast.store.Sha256;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import dev.holdfast.store.Work;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Imports reviews from another broker; can be repeated any number of times.
 *
 * <ol>
 *   <li>A review that is not here yet is imported with its history, including its claim.
 *   <li>A review that was imported before and has changed there, but not here, is updated.
 *   <li>A review that has changed here stays as it is, whatever happened to it there.
 * </ol>
 */
public final class Imports {
    /** Stands for the hash of content that is no longer known; no real content has it. */
    static final String UNKNOWN_REVISION = "unknown";

    private static final int AT_ONCE = 50;
    private static final String CALL = "import:";

    /** What happened to one review. */
    public enum How {
        IMPORTED,
        UPDATED,
        UNCHANGED,
        /** It has changed here since it was imported. */
        KEPT,
        REFUSED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @param reason why it was not imported; null if it was, or if there was nothing new */
    public record Taken(String id, How how, @Nullable String reason) {}

    private record Prepared(ImportedReview review, Content content, String fingerprint) {}

    private final Store store;
    private final TransactionalClaims transactional;
    private final ReviewLimits limits;
    private final Independence independence;

    public Imports(ReviewChanges changes, ReviewLimits limits, Independence independence) {
        store = changes.store();
        transactional = changes.transactional();
        this.limits = limits;
        this.independence = independence;
    }

    /**
     * Imports these, each completely or not at all; the answers are in the same order.
     *
     * @param dry changes nothing; the answers say what would happen
     * @param mayHold whether the caller may let somebody of this name hold a review
     * @throws RefusedException if the caller is an agent: the imported approvals would open the gate
     */
    public List<Taken> take(List<ImportedReview> reviews, boolean dry, Caller caller, Predicate<String> mayHold) {
        ReviewerIdentity judge = store.read(transaction -> independence.judge(transaction, caller, null));
        independence.checkMayImport(judge);
        List<Taken> answers = new ArrayList<>();
        for (int from = 0; from < reviews.size(); from += AT_ONCE) {
            answers.addAll(some(reviews.subList(from, Math.min(reviews.size(), from + AT_ONCE)), dry, mayHold));
        }
        return answers;
    }

    private List<Taken> some(List<ImportedReview> reviews, boolean dry, Predicate<String> mayHold) {
        @Nullable Taken[] answers = new @Nullable Taken[reviews.size()];
        @Nullable Prepared[] prepared = new @Nullable Prepared[reviews.size()];
        for (int i = 0; i < answers.length; i++) {
            try {
                prepared[i] = prepared(reviews.get(i), mayHold);
            } catch (RefusedException | InvalidException e) {
                answers[i] = new Taken(reviews.get(i).id(), How.REFUSED, e.getMessage());
            }
        }
        Work<Integer> work = transaction -> {
            for (int i = 0; i < answers.length; i++) {
                Prepared one = prepared[i];
                if (one != null) {
                    Taken taken = take(transaction, one, dry);
                    Taken before = answers[i]; // from a first run whose commit was not acknowledged
                    answers[i] = before != null && taken.how() == How.UNCHANGED ? before : taken;
                }
            }
            return answers.length;
        };
        int taken = dry ? store.read(work) : store.write(work);
        return Arrays.stream(answers, 0, taken).map(Objects::requireNonNull).toList();
    }

    private Prepared prepared(ImportedReview review, Predicate<String> mayHold) {
        review.check(limits);
        String holder = review.holder();
        if (holder != null && !mayHold.test(holder)) {
            throw new RefusedException(
                    RefusalCode.UNAUTHORIZED,
                    holder + " holds it, which is a name of a token; only callers with that token can use it");
        }
        Proposal made = review.proposal();
        return new Prepared(review, Content.of(made.intent(), made.description(), made.diff()), fingerprint(review));
    }

    private Taken take(Transaction transaction, Prepared one, boolean dry) throws SQLException {
        String id = one.review().id();
        Optional<LockedClaim> claimState =
                dry ? Optional.empty() : transactional.lock(transaction, Review.resource(id));
        Optional<ReviewRow> row = ReviewTable.find(transaction, id);
        if (row.isEmpty()) {
            if (!dry) {
                add(transaction, one);
            }
            return new Taken(id, How.IMPORTED, null);
        }
        Optional<ImportTable.Known> known = ImportTable.known(transaction, id);
        if (known.isEmpty()) {
            return new Taken(id, How.REFUSED, "a review with this id was made here");
        }
        if (known.get().fingerprint().equals(one.fingerprint())) {
            return new Taken(id, How.UNCHANGED, null);
        }
        if (changedHere(transaction, row.get(), claimState.orElse(null), known.get())) {
            return new Taken(
                    id,
                    How.KEPT,
                    "it has changed both here and in the source since it was imported; the version here was kept");
        }
        if (one.review().round() < row.get().round) {
            return new Taken(
                    id,
                    How.REFUSED,
                    "it is in round " + one.review().round() + ", but was imported in round " + row.get().round
                            + " before");
        }
        if (!dry) {
            update(transaction, one, row.get(), known.get());
        }
        return new Taken(id, How.UPDATED, null);
    }

    /**
     * Every change of a review records its call in the row. Claim-next does not, but then somebody else holds the
     * review.
     */
    private static boolean changedHere(
            Transaction transaction, ReviewRow row, @Nullable LockedClaim claimState, ImportTable.Known known)
            throws SQLException {
        Claim claim = claimState == null ? null : claimState.claim();
        boolean claimedHere = claimState == null
                ? ReviewTable.show(transaction, row.id)
                        .filter(shown ->
                                shown.status() == ReviewStatus.CLAIMED && shown.generation() != known.generation())
                        .isPresent()
                : claim != null && claim.generation() != known.generation();
        return claimedHere || !row.lastCall.equals(CALL + known.fingerprint());
    }

    private void add(Transaction transaction, Prepared one) throws SQLException {
        ImportedReview review = one.review();
        long now = transaction.now();
        happened(transaction, review, 0, now);
        long generation = adopt(transaction, review);
        ImportTable.put(transaction, review, one.content().revision(), 1, CALL + one.fingerprint(), now);
        addRevision(transaction, one, 1, "proposal", now);
        judged(transaction, one, one.content().revision(), Set.of(), now);
        finish(transaction, one, generation, now);
    }

    private void update(Transaction transaction, Prepared one, ReviewRow row, ImportTable.Known known)
            throws SQLException {
        ImportedReview review = one.review();
        long now = transaction.now();
        happened(transaction, review, known.lastEvent(), now);
        long generation = adopt(transaction, review);
        boolean sameRound = row.round == review.round();
        // a review from before revisions included positions keeps the revision it has
        boolean sameContent = row.revision.equals(one.content().revision())
                || row.revision.equals(one.content().wherever());
        int number = !sameRound ? 1 : sameContent ? row.revisionNumber : row.revisionNumber + 1;
        String revision =
                sameRound && sameContent ? row.revision : one.content().revision();
        ImportTable.put(transaction, review, revision, number, CALL + one.fingerprint(), now);
        if (!sameRound || !sameContent) {
            addRevision(transaction, one, number, sameRound ? "counter_patch" : "proposal", now);
        }
        judged(
                transaction,
                one,
                revision,
                Set.copyOf(VerdictTable.all(transaction, review.id()).get()),
                now);
        finish(transaction, one, generation, now);
    }

    private static void addRevision(Transaction transaction, Prepared one, int number, String source, long now)
            throws SQLException {
        ImportedReview review = one.review();
        long at = ImportTable.micros(review.contentAt(), now);
        RevisionTable.add(transaction, review.id(), review.round(), number, one.content(), null, source, at);
    }

    /** Verdicts that were imported before keep their data: the other broker may have lost their reasons by now. */
    private static void judged(Transaction transaction, Prepared one, String revision, Set<Verdict> before, long now)
            throws SQLException {
        ImportedReview review = one.review();
        for (ImportedReview.VerdictEntry verdict : review.verdicts()) {
            Optional<Verdict> same =
                    before.stream().filter(known -> same(known, verdict, now)).findFirst();
            if (same.isEmpty()) {
                String patch = verdict.counterPatch();
                ImportTable.verdict(
                        transaction,
                        review.id(),
                        verdict.onCurrent() ? revision : UNKNOWN_REVISION,
                        verdict,
                        patch == null ? null : one.content().withDiff(patch),
                        now);
            } else if (verdict.counterPatchStatus() != null) {
                VerdictTable.decide(transaction, review.id(), same.get().id(), verdict.counterPatchStatus());
            }
        }
    }

    private static boolean same(Verdict known, ImportedReview.VerdictEntry verdict, long now) {
        return known.round() == verdict.round()
                && known.verdict().equals(verdict.verdict())
                && (verdict.assumed() || known.at().equals(ReviewTable.instant(ImportTable.micros(verdict.at(), now))));
    }

    private void happened(Transaction transaction, ImportedReview review, long after, long now) throws SQLException {
        for (ImportedReview.EventEntry event : review.events()) {
            if (event.number() > after) {
                transactional.appendPastEvent(
                        transaction,
                        Review.resource(review.id()),
                        ImportTable.micros(event.at(), now),
                        event.generation(),
                        new DomainEvent(event.type(), event.actor(), detail(event)));
            }
        }
    }

    private static Map<String, Object> detail(ImportedReview.EventEntry event) {
        Map<String, Object> detail = new LinkedHashMap<>();
        if (event.oldStatus() != null) {
            detail.put("old_status", event.oldStatus());
        }
        if (event.newStatus() != null) {
            detail.put("new_status", event.newStatus());
        }
        if (event.metadata() != null) {
            detail.put("metadata", JsonMapper.shared().readTree(event.metadata()));
        }
        return detail;
    }

    private long adopt(Transaction transaction, ImportedReview review) throws SQLException {
        Proposal made = review.proposal();
        String holder = review.holder();
        ReviewStatus stored = review.stored();
        return transactional.adopt(
                transaction,
                new ImportedResource(
                        NewResource.of(Review.resource(review.id()))
                                .queue(Project.key(made.project()))
                                .priority(Priority.named(review.priority()).rank())
                                .labels(made.category() == null ? Set.of() : Set.of(made.category())),
                        holder,
                        review.claimedAt(),
                        stored != ReviewStatus.PENDING,
                        review.generation() + (review.abandoned() ? 1 : 0)),
                ReviewChanges.event(
                        "review_imported",
                        "import",
                        null,
                        holder == null ? stored : ReviewStatus.CLAIMED,
                        Metadata.of("status", review.status().toString(), "claimed_by", review.claimedBy())));
    }

    private static void finish(Transaction transaction, Prepared one, long generation, long now) throws SQLException {
        ImportedReview review = one.review();
        for (ImportedReview.MessageEntry message : review.messages()) {
            ImportTable.message(transaction, review.id(), message, now);
        }
        long last = review.events().stream()
                .mapToLong(ImportedReview.EventEntry::number)
                .max()
                .orElse(0);
        ImportTable.keep(transaction, review.id(), new ImportTable.Known(one.fingerprint(), last, generation));
    }

    private static String fingerprint(ImportedReview review) {
        return Sha256.hex(JsonMapper.shared().writeValueAsString(review));
    }
}
