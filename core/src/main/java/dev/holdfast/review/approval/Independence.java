package dev.holdfast.review.approval;

import dev.holdfast.agent.Caller;
import dev.holdfast.agent.RelatedAgents;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.record.Proposer;
import dev.holdfast.review.record.ProposerTable;
import dev.holdfast.review.record.ReviewRow;
import dev.holdfast.review.record.ReviewerIdentity;
import dev.holdfast.review.record.Verdict;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Sha256;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Ensures that a proposal is judged by somebody other than its proposer, as far as identities are known.
 *
 * <ol>
 *   <li>Each round's proposer is recorded together with the agents that count as the same ({@link RelatedAgents}). All of
 *       them are proposers of the review: none may claim it, judge it, settle its findings or open the gate for it.
 *   <li>A reviewer is both who it is known to be <em>and</em> who it claims to be; either is enough to be refused.
 *   <li>An unknown caller may review, unless the rules require more.
 *   <li>Reviews are labelled with marks of their proposers, so that claim-next skips reviews that a reviewer may not
 *       judge, and does not wake it for them.
 * </ol>
 */
public final class Independence {
    /** No category starts with it, so none can pass for a mark. */
    private static final char MARK = '\u001f';

    private static final int HASH = 16;

    private final ReviewerRules rules;

    public Independence(ReviewerRules rules) {
        this.rules = rules;
    }

    // Proposing

    /** Who submits a round; record it in the transaction that creates the round. */
    public static Proposer proposer(Transaction transaction, int round, Caller by) throws SQLException {
        List<String> names = new ArrayList<>(by.sessions());
        if (by.name() != null) {
            names.addFirst(by.name());
        }
        RelatedAgents kinship = RelatedAgents.ask(transaction, names).get();
        String engine = by.engine();
        if (engine == null && by.name() != null) {
            engine = kinship.kind(by.name());
        }
        return new Proposer(round, by.name(), by.known(), engine, kinship.of(names));
    }

    /** The labels that claim-next chooses a review by. */
    public static Set<String> labels(List<Proposer> proposers, @Nullable String category, String agentType) {
        Set<String> labels = new LinkedHashSet<>();
        if (category != null && category.indexOf(MARK) != 0) {
            labels.add(category);
        }
        for (Proposer proposer : proposers) {
            proposer.kin().forEach(name -> labels.add(mark(name)));
            make(proposer, agentType).ifPresent(make -> labels.add(markOfMake(make)));
        }
        return labels;
    }

    private static String mark(String name) {
        return MARK + "by:" + Sha256.hex(name).substring(0, HASH);
    }

    public static String markOfMake(String make) {
        return MARK + "make:" + make;
    }

    /** The LIKE pattern for labels, stored as JSON, that contain this mark. */
    public static String pattern(String mark) {
        return "%" + mark.substring(1) + "\"%"; // JSON escapes its first character
    }

    /** An agent without a session states its type when it proposes. */
    private static Optional<String> make(Proposer proposer, String agentType) {
        return ModelMaker.of(proposer.engine()).or(() -> ModelMaker.of(agentType));
    }

    // Judging

    /** @param as the name it reviews under; null: none */
    public ReviewerIdentity judge(Transaction transaction, Caller caller, @Nullable String as) throws SQLException {
        return askIdentity(transaction, caller, as).get();
    }

    /** As {@link #judge}, but sent in one round trip with other queries. */
    public Pending<ReviewerIdentity> askIdentity(Transaction transaction, Caller caller, @Nullable String as)
            throws SQLException {
        boolean vouched = caller.known().vouched();
        List<String> names = new ArrayList<>(caller.sessions());
        if (caller.name() != null && (vouched || as == null)) {
            names.add(caller.name());
        }
        if (as != null) {
            names.add(as);
        }
        String agent = vouched || as == null ? caller.name() : as;
        Caller.Known known = vouched || as == null ? caller.known() : Caller.Known.NAME;
        Pending<RelatedAgents> asked = RelatedAgents.ask(transaction, names);
        return () -> {
            RelatedAgents kinship = asked.get();
            String engine = vouched || agent == null ? caller.engine() : kinship.kind(agent);
            return new ReviewerIdentity(agent, known, engine, kinship.of(names));
        };
    }

    /** The marks that claim-next must skip for this judge. */
    public Set<String> passedOver(ReviewerIdentity judge) {
        Set<String> marks = new HashSet<>();
        judge.kin().forEach(name -> marks.add(mark(name)));
        if (rules.otherMake() && !isPerson(judge)) {
            ModelMaker.of(judge.engine()).ifPresent(make -> marks.add(markOfMake(make)));
        }
        return marks;
    }

    /**
     * @param what the action on the review, as in "you can't ..."
     * @throws RefusedException if somebody else has to do it
     */
    public void check(Transaction transaction, ReviewRow review, ReviewerIdentity judge, String what)
            throws SQLException {
        check(ProposerTable.all(transaction, review.id), review, judge, what);
    }

    /** As {@link #check(Transaction, ReviewRow, Judge, String)}, with the review's proposers already loaded. */
    public void check(List<Proposer> proposers, ReviewRow review, ReviewerIdentity judge, String what) {
        checkIsNot(proposers, judge, what, "");
        checkRules(judge, what);
        if (rules.otherMake() && !isPerson(judge)) {
            Optional<String> own = ModelMaker.of(judge.engine());
            for (Proposer proposer : proposers) {
                Optional<String> other = make(proposer, review.agentType);
                if (other.isPresent() && other.equals(own)) {
                    throw new RefusedException(
                            RefusalCode.FORBIDDEN,
                            "You can't " + what + ": its proposer, " + proposer.shown() + ", uses the same engine ("
                                    + own.get()
                                    + "), and reviews.forbid_same_engine requires a different one. Let another"
                                    + " model or a person review it.");
                }
            }
        }
    }

    /** The message with which {@link #check} would refuse; empty if it would not. */
    public Optional<String> refusal(Transaction transaction, ReviewRow review, ReviewerIdentity judge, String what)
            throws SQLException {
        try {
            check(transaction, review, judge, what);
            return Optional.empty();
        } catch (RefusedException refused) {
            return Optional.of(String.valueOf(refused.getMessage()));
        }
    }

    /**
     * @param orElse what the judge can do instead
     * @throws RefusedException if the judge is one of these proposers
     */
    static void checkIsNot(List<Proposer> proposers, ReviewerIdentity judge, String what, String orElse) {
        for (Proposer proposer : proposers.reversed()) {
            Set<String> common = new LinkedHashSet<>(judge.kin());
            common.retainAll(proposer.kin());
            if (!common.isEmpty()) {
                throw new RefusedException(
                        RefusalCode.FORBIDDEN,
                        "You can't " + what + ": " + proposer.shown() + " proposed it, and you "
                                + (judge.shown().equals(proposer.shown())
                                        ? judge.known().vouched() ? "are the same" : "are using the same name"
                                        : (judge.known().vouched() ? "are " : "say that you are ")
                                                + judge.shown() + ", which counts as the same because of "
                                                + String.join(", ", common))
                                + (judge.known().vouched()
                                        ? ". Let another session, the pool or a person in a terminal of their own do it."
                                        : ". Someone else must; if you are someone else, give your own name.")
                                + orElse);
            }
        }
    }

    /**
     * Opening the gate is a person's decision: a caller known to be an agent is refused, whoever proposed. People
     * cannot open it for a proposal of their own that is still open; they can withdraw it first.
     *
     * @throws RefusedException if the judge is an agent, or proposed this content
     */
    void checkMayOverride(Transaction transaction, ApprovalQuery asked, ReviewerIdentity judge) throws SQLException {
        for (ApprovalTable.Same same : ApprovalTable.same(transaction, asked)) {
            if (same.project().equals(asked.project()) && !same.withdrawn()) {
                checkIsNot(
                        ProposerTable.all(transaction, same.reviewId()),
                        judge,
                        "open the gate for this",
                        " Or withdraw review " + same.reviewId() + " first.");
            }
        }
        checkIsPerson(judge, "open the gate", "that is", ", or propose the change with create_review.");
    }

    /**
     * Importing approvals opens the gate for them.
     *
     * @throws RefusedException if the judge is an agent
     */
    public void checkMayImport(ReviewerIdentity judge) {
        checkIsPerson(judge, "import reviews", "approvals among them open the gate, which is", ".");
    }

    private void checkIsPerson(ReviewerIdentity judge, String what, String why, String orElse) {
        if (judge.known().vouched() && !isPerson(judge)) {
            throw new RefusedException(
                    RefusalCode.FORBIDDEN,
                    "You can't " + what + ": " + why + " a person's decision, and you are " + judge.shown()
                            + ". Ask a person to run it in their own terminal" + orElse);
        }
        if (rules.knownOnly() && !judge.known().vouched()) {
            checkRules(judge, what);
        }
    }

    /**
     * Ending a review and deciding about it is up to its proposer. People may do so too, and so may unknown callers,
     * because nothing shows that they are somebody else.
     *
     * @throws RefusedException if the caller is known to be another agent
     */
    public void checkIsProposer(Transaction transaction, ReviewRow review, Caller caller, String what)
            throws SQLException {
        if (caller.known() == Caller.Known.NOTHING && caller.sessions().isEmpty()) {
            return;
        }
        ReviewerIdentity judge = judge(transaction, caller, null);
        List<Proposer> proposers = ProposerTable.all(transaction, review.id);
        boolean may = isPerson(judge)
                || caller.isPerson()
                || judge.kin().isEmpty()
                || proposers.isEmpty()
                || proposers.stream().anyMatch(proposer -> proposer.kin().isEmpty() || proposer.isOneOf(judge.kin()));
        if (!may) {
            String proposer = proposers.getLast().shown();
            throw new RefusedException(
                    RefusalCode.FORBIDDEN,
                    "You can't " + what + ": " + proposer + " proposed it, and you are " + judge.shown() + ". Only "
                            + proposer + " or a person can.");
        }
    }

    /** @throws RefusedException if the caller made the counter-patch that it wants to accept */
    public void checkDidNotSuggest(Transaction transaction, Verdict suggestion, Caller caller) throws SQLException {
        Set<String> suggested = RelatedAgents.of(
                transaction,
                Stream.of(suggestion.reviewer(), suggestion.agent())
                        .filter(Objects::nonNull)
                        .toList());
        ReviewerIdentity judge = judge(transaction, caller, null);
        if (judge.kin().stream().anyMatch(suggested::contains)) {
            throw new RefusedException(
                    RefusalCode.FORBIDDEN,
                    "You can't accept this counter-patch: " + suggestion.reviewer() + " suggested it, and you are "
                            + judge.shown() + ". Its proposer decides.");
        }
    }

    /** The checks that do not depend on the review. */
    public void checkRules(ReviewerIdentity judge, String what) {
        if (rules.knownOnly() && !judge.known().vouched()) {
            throw new RefusedException(
                    RefusalCode.FORBIDDEN,
                    "You can't " + what
                            + ": this broker accepts only reviewers that it can identify (reviews.reviewers is known),"
                            + " and nothing identifies " + judge.shown()
                            + ". Review from a session whose process is known"
                            + " (holdfast hooks install, or holdfast session start ID --pid $$), or let the pool review.");
        }
        if (rules.otherMake() && ModelMaker.of(judge.engine()).isEmpty()) {
            throw new RefusedException(
                    RefusalCode.FORBIDDEN,
                    "You can't " + what
                            + ": reviews.forbid_same_engine requires a model of a different vendor, and the engine"
                            + " of " + judge.shown() + " is unknown. Review from a session (holdfast hooks install, or"
                            + " holdfast session start ID), under its agent id.");
        }
    }

    private static boolean isPerson(ReviewerIdentity judge) {
        return judge.engine() != null && RelatedAgents.isPerson(judge.engine());
    }
}
