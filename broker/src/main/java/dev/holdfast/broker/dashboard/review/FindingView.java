package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.Visible;
import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.review.finding.Finding;
import dev.holdfast.review.record.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * A finding as shown, with its state round by round.
 *
 * @param fate one per round: none, open, outdated, resolved or waived
 * @param answers in the order in which they were given
 */
public record FindingView(Finding finding, List<String> fate, List<Answer> answers) {
    /** What somebody has written about it. */
    public record Answer(Actor by, String role, String say, When at) {}

    static FindingView of(Finding finding, int rounds, List<Verdict> verdicts, List<Said> messages, Instant now) {
        List<String> fate = new ArrayList<>();
        int settledIn = finding.settled()
                .map(settled -> verdicts.stream()
                        .filter(verdict -> !verdict.at().isBefore(settled.at()))
                        .mapToInt(Verdict::round)
                        .findFirst()
                        .orElse(rounds))
                .orElse(rounds);
        for (int round = 1; round <= rounds; round++) {
            fate.add(
                    round < finding.round()
                            ? "none"
                            : round >= settledIn ? finding.state().toString() : "open");
        }
        List<Answer> answers = messages.stream()
                .filter(said -> said.finding().equals(finding.id()))
                .map(said -> new Answer(new Actor(said.who()), said.role(), said.text(), new When(said.at(), now)))
                .toList();
        return new FindingView(finding, fate, answers);
    }

    public String id() {
        return finding.id();
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
            case OPEN -> new State("s-failed", severity().equals("must") ? "port" : "brass", "open");
            case OUTDATED -> new State("s-retry", "brass", "outdated");
            case RESOLVED -> new State("s-approved", "ok", "resolved");
            case WAIVED -> new State("s-withdrawn", "", "waived");
        };
    }

    public String message() {
        return Visible.of(finding.message());
    }

    public String raisedBy() {
        return finding.raisedBy() == null ? "someone" : finding.raisedBy();
    }

    /** Where it is, with only the file's name. */
    public String place() {
        return Visible.line(finding.place().substring(finding.path().lastIndexOf('/') + 1));
    }

    public String settledWords() {
        return finding.settled()
                .map(settled -> finding.state() + " by " + (settled.by() == null ? "someone" : settled.by())
                        + (settled.reason() == null ? "" : ": " + settled.reason()))
                .orElse(finding.state() == Finding.State.RESOLVED ? "resolved: no longer part of the change" : "");
    }

    /** The text of the line that it is about; empty: it is about the file, or the text is not known. */
    public String quote() {
        return Visible.line(finding.excerpt().strip());
    }

    /** Why it is at the head of its file although it is about a line. */
    public String aboutWords() {
        return finding.state() == Finding.State.OPEN
                ? "About line " + finding.line() + ", which is not shown here"
                : "About line " + finding.raisedLine() + " of round " + finding.round();
    }

    /** The values for the dialog that answers it. */
    public String answering() {
        return JsonMapper.shared()
                .writeValueAsString(Map.of("metadata", Said.answering(id()), "finding", id(), "about", message()));
    }

    /** The drawing's width: 20 for each round. */
    public int width() {
        return 12 + 20 * (fate.size() - 1);
    }

    public String fateWords() {
        StringBuilder words = new StringBuilder();
        for (int i = 0; i < fate.size(); i++) {
            words.append(i == 0 ? "" : ", ")
                    .append("round ")
                    .append(i + 1)
                    .append(' ')
                    .append(fate.get(i).equals("none") ? "not raised" : fate.get(i));
        }
        return words.toString();
    }
}
