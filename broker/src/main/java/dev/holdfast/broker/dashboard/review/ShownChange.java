package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.ChangeView;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.reading.ProposalReader;
import org.jspecify.annotations.Nullable;

/**
 * What a page shows of a proposal: a whole round, or what has changed since another one.
 *
 * @param text as a diff
 * @param notes what it leaves out; empty: nothing
 * @param against the round that it is compared with; null: none
 * @param whole the whole round, because an approval is always of that
 */
record ShownChange(String text, String notes, @Nullable Long against, ChangeView change, ChangeView whole) {
    static ShownChange of(ProposalReader reading, ProposalReader.Shown shown, ReviewAddress address) {
        String diff = shown.revision().diff() == null ? "" : shown.revision().diff();
        ChangeView whole = ChangeView.of(diff, address.beside());
        Long against = address.against();
        if (against == null) {
            return new ShownChange(diff, "", null, whole, whole);
        }
        try {
            String text = reading.compare(shown, against).text();
            String notes = "Only what changed since round " + against
                    + ". Parts that are the same in both rounds are left out.";
            return new ShownChange(text, notes, against, ChangeView.of(text, address.beside()), whole);
        } catch (RefusedException e) {
            return new ShownChange(diff, String.valueOf(e.getMessage()), null, whole, whole);
        }
    }
}
