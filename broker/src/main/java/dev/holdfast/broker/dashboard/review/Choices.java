package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.review.reading.ProposalReader;
import dev.holdfast.review.reading.ReadingState;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.Verdict;
import java.util.ArrayList;
import java.util.List;

/** The ways to view a review: which round, compared with which, in one column or two. Each is an address. */
public record Choices(List<Choice> rounds, List<Choice> compared, List<Choice> layouts) {
    /**
     * One of several ways to view it.
     *
     * @param brief the same where there is little room
     */
    public record Choice(String says, String brief, String path, boolean chosen, String icon, String key) {}

    static Choices of(ProposalReader.Shown shown, ReadingState.Entry entry, ReviewAddress address) {
        return new Choices(rounds(shown, address), compared(shown, entry, address), layouts(address));
    }

    private static List<Choice> rounds(ProposalReader.Shown shown, ReviewAddress address) {
        Review review = shown.review();
        List<Choice> rounds = new ArrayList<>();
        for (int round = 1; round <= review.round(); round++) {
            int wanted = round;
            State state = round == review.round()
                    ? State.of(review.status())
                    : shown.verdicts().stream()
                            .filter(verdict -> verdict.round() == wanted
                                    && !verdict.verdict().equals(Verdict.COMMENT))
                            .reduce((_, last) -> last)
                            .map(verdict -> State.ofVerdict(verdict.verdict()))
                            .orElse(new State("s-withdrawn", "dim", "superseded"));
            rounds.add(new Choice(
                    "Round " + round + ": " + state.word(),
                    Integer.toString(round),
                    address.ofRound(round == review.round() ? null : (long) round)
                            .path(),
                    round == shown.revision().round(),
                    state.icon(),
                    Integer.toString(round)));
        }
        return rounds;
    }

    private static List<Choice> compared(ProposalReader.Shown shown, ReadingState.Entry entry, ReviewAddress address) {
        Long against = address.against();
        int round = shown.revision().round();
        List<Choice> compared = new ArrayList<>();
        compared.add(
                new Choice("Whole change", "All", address.comparedWith(null).path(), against == null, "", ""));
        if (round > 1) {
            compared.add(new Choice(
                    "Since round " + (round - 1),
                    "Since " + (round - 1),
                    address.comparedWith(round - 1L).path(),
                    against != null && against == round - 1,
                    "",
                    "i"));
        }
        Integer before = entry.openedBefore(round);
        if (before != null && before < round && before != round - 1) {
            compared.add(new Choice(
                    "Since I last looked",
                    "Since last look",
                    address.comparedWith((long) before).path(),
                    against != null && against.intValue() == before,
                    "",
                    ""));
        }
        return compared;
    }

    private static List<Choice> layouts(ReviewAddress address) {
        return List.of(
                new Choice("Unified", "Unified", address.laidOut(false).path(), !address.beside(), "unif", "u"),
                new Choice("Side by side", "Split", address.laidOut(true).path(), address.beside(), "split", "s"));
    }
}
