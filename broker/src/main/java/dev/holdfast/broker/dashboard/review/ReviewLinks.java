package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.diff.ChangeView;
import dev.holdfast.broker.dashboard.diff.FileView;
import dev.holdfast.review.finding.Finding;
import java.util.List;

/** Links to files and findings: on this page, or on the one that shows their lines. */
public record ReviewLinks(ReviewAddress address, ChangeView change, FilePage page) {
    String to(FileView file) {
        return page.files().contains(file) ? "#" + file.anchor() : there(file) + "#" + file.anchor();
    }

    /** If its file is not part of what is shown, leads to the round in which the finding was raised. */
    String to(Finding finding) {
        return change.files().stream()
                        .filter(file -> FindingPlaces.isIn(file, finding))
                        .findFirst()
                        .map(file -> page.shows(file) ? "" : there(file))
                        .orElseGet(() -> address.ofRound((long) finding.round()).path())
                + "#" + finding.id();
    }

    private String there(FileView file) {
        List<FileView> all = change.files();
        return address.all().page(FilePage.pageOf(all.indexOf(file))).open(file.number());
    }
}
