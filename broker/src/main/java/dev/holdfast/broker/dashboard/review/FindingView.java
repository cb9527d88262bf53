package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.VisibleText;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.review.finding.Finding;
import dev.holdfast.review.record.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A finding as shown, with its state round by round.
 *
 * @param fate one per round
 * @param approvedBy who approved the latest round; null: it is not approved
 * @param answers in the order in which they were given
 */
public record FindingView(
        Finding finding, List<Fate> fate, @Nullable String approvedBy, List<Answer> answers) {
    private static final int MAX_DOTS = 8;

    /**
     * What it was in one round.
     *
     * @param look how the dot is drawn: none, open, outdated, resolved or waived
     */
    public record Fate(String look, String words) {
        private static final Fate NONE = new Fate("none", "not raised");

        private static Fate of(Finding.State state, boolean approved) {
            return switch (state) {
                case OPEN -> approved ? new Fate("waived", "approved as it is") : new Fate("open", "open");
                case OUTDATED ->
                    approved ? new Fate("resolved", "changed and approved") : new Fate("outdated", "lines changed");
                case RESOLVED -> new Fate("resolved", "resolved");
                case WAIVED -> new Fate("waived", "waived");
            };
        }
    }

    /** What somebody has written about it. */
    public record Answer(Actor by, String role, String say, When at) {}

    static FindingView of(
            Finding finding, int rounds, List<Verdict> verdicts, List<DiscussionMessage> messages, Instant now) {
        int settledIn = finding.settled()
                .map(settled -> verdicts.stream()
                        .filter(verdict -> !verdict.at().isBefore(settled.at()))
                        .mapToInt(Verdict::round)
                        .findFirst()
                        .orElse(rounds))
                .orElse(rounds);
        ApprovalView approval = ApprovalView.of(verdicts, rounds, now);
        List<Fate> fate = IntStream.rangeClosed(1, rounds)
                .mapToObj(round -> round < finding.round()
                        ? Fate.NONE
                        : Fate.of(
                                round >= settledIn ? finding.state() : before(finding, round),
                                round == rounds && approval != null))
                .toList();
        List<Answer> answers = messages.stream()
                .filter(said -> said.finding().equals(finding.id()))
                .map(said -> new Answer(new Actor(said.who()), said.role(), said.text(), new When(said.at(), now)))
                .toList();
        return new FindingView(finding, fate, approval == null ? null : approval.by(), answers);
    }

    /** Its state in an earlier round. */
    private static Finding.State before(Finding finding, int round) {
        int later = round - finding.round() - 1;
        return later < 0 || later >= finding.past().size()
                ? Finding.State.OPEN
                : finding.past().get(later);
    }

    public String id() {
        return finding.id();
    }

    /** Whether somebody still has to look at it. */
    public boolean stands() {
        return finding.stands() && approvedBy == null;
    }

    /** The style class of its severity. */
    public String severity() {
        return switch (finding.severity()) {
            case MUST_FIX -> "must";
            case SHOULD_FIX -> "should";
            case NOTE -> "note";
        };
    }

    public String severityWords() {
        return finding.severity().toString().replace('_', ' ');
    }

    public State state() {
        return switch (finding.state()) {
            case OPEN ->
                stands()
                        ? new State("s-failed", severity().equals("must") ? "port" : "brass", "open")
                        : new State("s-withdrawn", "", "approved as it is");
            case OUTDATED ->
                stands()
                        ? new State("s-retry", "brass", "lines changed")
                        : new State("s-approved", "ok", "changed and approved");
            case RESOLVED -> new State("s-approved", "ok", "resolved");
            case WAIVED -> new State("s-withdrawn", "", "waived");
        };
    }

    public String message() {
        return VisibleText.of(finding.message());
    }

    public String raisedBy() {
        return finding.raisedBy() == null ? "someone" : finding.raisedBy();
    }

    /** Where it is, with only the file's name. */
    public String place() {
        return VisibleText.line(finding.place().substring(finding.path().lastIndexOf('/') + 1));
    }

    /** What has become of it, and how that is known; empty: nothing yet. */
    public String fateSentence() {
        return switch (finding.state()) {
            case OPEN -> stands() ? "" : approvedBy + " approved without a change here";
            case OUTDATED ->
                "Its lines changed in round " + changedIn()
                        + (stands() ? ": not yet confirmed as fixed" : ", and " + approvedBy + " approved them");
            case RESOLVED, WAIVED ->
                finding.settled()
                        .map(settled -> (finding.state() == Finding.State.WAIVED ? "Waived by " : "Resolved by ")
                                + (settled.by() == null ? "someone" : settled.by())
                                + (settled.reason() == null ? "" : ": " + settled.reason()))
                        .orElse("Resolved: no longer part of the change");
        };
    }

    /** The round since which its lines differ from those that it was raised on. */
    private int changedIn() {
        int since = finding.past().lastIndexOf(Finding.State.OPEN) + 1;
        return Math.min(fate.size(), finding.round() + 1 + since); // an accepted counter-patch makes no round
    }

    /** The text of the line that it is about; empty: it is about the file, or the text is not known. */
    public String quote() {
        return VisibleText.line(finding.excerpt().strip());
    }

    /** Why it is at the head of its file although it is about a line. */
    public String aboutWords() {
        return finding.state() == Finding.State.OPEN
                ? "About " + lines(finding.line()) + ", not shown here"
                : "About " + lines(finding.raisedLine()) + " of round " + finding.round();
    }

    private String lines(int last) {
        int first = last - finding.lines() + 1;
        return first == last ? "line " + last : "lines " + first + " to " + last;
    }

    /** The values for the dialog that answers it. */
    public String answering() {
        return JsonMapper.shared()
                .writeValueAsString(
                        Map.of("metadata", DiscussionMessage.answering(id()), "finding", id(), "about", message()));
    }

    /** What the drawing shows: its latest rounds. */
    public List<Fate> dots() {
        return fate.subList(Math.max(0, fate.size() - MAX_DOTS), fate.size());
    }

    /** The distance between two dots. */
    public int step() {
        return dots().size() > 3 ? 12 : 20;
    }

    /** The drawing's width. */
    public int width() {
        return 12 + step() * (dots().size() - 1);
    }

    public String fateWords() {
        StringBuilder words = new StringBuilder();
        for (int i = 0; i < fate.size(); i++) {
            words.append(i == 0 ? "" : ", ")
                    .append("round ")
                    .append(i + 1)
                    .append(' ')
                    .append(fate.get(i).words());
        }
        return words.toString();
    }
}
