package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.ChangeView;
import dev.holdfast.broker.dashboard.diff.FileView;
import dev.holdfast.review.finding.Finding;
import dev.holdfast.review.reading.ProposalReader;
import dev.holdfast.review.record.Review;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What blocks an approval, and which checks have passed. */
final class ApprovalChecks {
    private ApprovalChecks() {}

    static List<ReviewView.Stop> of(
            String person, ProposalReader.Shown shown, ChangeView change, ReadFiles read, ReviewLinks links) {
        Review review = shown.review();
        List<ReviewView.Stop> stops = new ArrayList<>();
        List<Finding> blocking =
                shown.findings().stream().filter(Finding::blocks).toList();
        if (!blocking.isEmpty()) {
            stops.add(new ReviewView.Stop(
                    "flag",
                    "port",
                    blocking.stream().map(Finding::id).collect(Collectors.joining(", "))
                            + " must be resolved or waived first",
                    links.to(blocking.getFirst()),
                    true));
        }
        List<FileView> unread = change.files().stream()
                .filter(file -> !read.whole().contains(file.number()))
                .toList();
        if (!unread.isEmpty() && shown.revision().hasDiff()) {
            stops.add(new ReviewView.Stop(
                    "eye",
                    "brass",
                    unread.size() == 1
                            ? unread.getFirst().name() + " is not marked as read yet"
                            : unread.size() + " files are not marked as read yet, first "
                                    + unread.getFirst().name(),
                    links.to(unread.getFirst()),
                    true));
        } else if (!change.raw().isEmpty() && !read.text()) {
            stops.add(new ReviewView.Stop("eye", "brass", "The text is not marked as read yet", "#text", true));
        } else {
            stops.add(new ReviewView.Stop("check", "ok", "You have read all of round " + review.round(), "", false));
        }
        boolean own =
                review.proposer() != null && person.equals(review.proposer().agent());
        stops.add(
                own
                        ? new ReviewView.Stop(
                                "ban", "port", "This is your own proposal: someone else has to review it", "", true)
                        : new ReviewView.Stop("check", "ok", "Not your own proposal", "", false));
        return stops;
    }
}
