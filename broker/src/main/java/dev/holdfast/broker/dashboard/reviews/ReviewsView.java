package dev.holdfast.broker.dashboard.reviews;

import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.State;
import dev.holdfast.broker.dashboard.part.When;
import dev.holdfast.review.record.Review;
import dev.holdfast.review.record.ReviewStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The list of reviews.
 *
 * @param text the content of the search field
 * @param kept the other parts of the address, for the search field's form
 * @param drop the filter to offer for removal if nothing is found; null: there is none
 */
public record ReviewsView(
        List<Tab> tabs,
        List<Chip> chips,
        String text,
        List<Kept> kept,
        List<Tab> orders,
        List<Line> lines,
        @Nullable String first,
        @Nullable String next,
        @Nullable Chip drop,
        List<Known> fields,
        boolean narrowed) {
    /**
     * A view, or an order.
     *
     * @param count empty: not counted
     */
    public record Tab(String says, String path, boolean chosen, String count) {}

    /** Whether all of these are approved, so that they can be closed together. */
    public boolean approved() {
        return !lines.isEmpty() && lines.stream().allMatch(line -> line.review().status() == ReviewStatus.APPROVED);
    }

    /** A filter, and the address without it. */
    public record Chip(String name, String value, String without) {}

    /** A part of the address. */
    public record Kept(String name, String value) {}

    /** A completion for the search field. */
    public record Known(String value, String count) {}

    /** One review. */
    public record Line(
            Review review,
            State state,
            Actor proposer,
            @Nullable Actor turn,
            @Nullable Lease lease,
            When since,
            boolean late,
            int rank) {
        public String shortId() {
            return review.id().length() > 8 ? review.id().substring(0, 8) : review.id();
        }
    }
}
