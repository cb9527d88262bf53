package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.review.reading.Desks;
import dev.holdfast.review.reading.Reading;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ways to look at a review: which round, since when, in one column or two. Each is an address. */
final class Choices {
    private Choices() {}

    static List<ReviewView.Choice> rounds(Reading.Shown shown, boolean beside) {
        Review review = shown.review();
        List<ReviewView.Choice> rounds = new ArrayList<>();
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
            rounds.add(new ReviewView.Choice(
                    "Round " + round + ": " + state.word(),
                    path(review, round == review.round() ? null : (long) round, null, beside),
                    round == shown.revision().round(),
                    state.icon(),
                    Integer.toString(round)));
        }
        return rounds;
    }

    static List<ReviewView.Choice> compared(
            Reading.Shown shown, Desks.Desk desk, @Nullable Long against, boolean beside) {
        int round = shown.revision().round();
        List<ReviewView.Choice> compared = new ArrayList<>();
        compared.add(new ReviewView.Choice(
                "Whole change", path(shown.review(), ofRound(shown), null, beside), against == null, "", ""));
        if (round > 1) {
            compared.add(new ReviewView.Choice(
                    "Since round " + (round - 1),
                    path(shown.review(), ofRound(shown), round - 1L, beside),
                    against != null && against == round - 1,
                    "",
                    "i"));
        }
        Integer before = desk.openedBefore(round);
        if (before != null && before < round && before != round - 1) {
            compared.add(new ReviewView.Choice(
                    "Since I last looked",
                    path(shown.review(), ofRound(shown), (long) before, beside),
                    against != null && against.intValue() == before,
                    "",
                    ""));
        }
        return compared;
    }

    static List<ReviewView.Choice> layouts(Reading.Shown shown, @Nullable Long against, boolean beside) {
        Long round = ofRound(shown);
        return List.of(
                new ReviewView.Choice("Unified", path(shown.review(), round, against, false), !beside, "unif", "u"),
                new ReviewView.Choice(
                        "Side by side", path(shown.review(), round, against, true), beside, "split", "s"));
    }

    private static @Nullable Long ofRound(Reading.Shown shown) {
        return shown.revision().round() == shown.review().round()
                ? null
                : (long) shown.revision().round();
    }

    private static String path(Review review, @Nullable Long round, @Nullable Long against, boolean beside) {
        List<String> query = new ArrayList<>();
        if (round != null) {
            query.add("round=" + round);
        }
        if (against != null) {
            query.add("against=" + against);
        }
        if (beside) {
            query.add("view=split");
        }
        return Address.review(review.id()) + (query.isEmpty() ? "" : "?" + String.join("&", query));
    }
}
