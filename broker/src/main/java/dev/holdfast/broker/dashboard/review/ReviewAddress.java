package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.page.Visit;
import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.review.reading.ProposalReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A way to view a review, as an address.
 *
 * @param round null: the latest
 * @param against the round it is compared with; null: none
 * @param files which page of its files, from 1
 * @param find what the paths of its files must contain; empty: anything
 */
public record ReviewAddress(
        String review, @Nullable Long round, @Nullable Long against, boolean beside, int files, String find) {
    /** The query parameter that says which part of the past the timeline shows. */
    static final String PAST = "past";

    static ReviewAddress of(Visit visit, ProposalReader.Shown shown) {
        Long files = visit.number("files");
        return new ReviewAddress(
                shown.review().id(),
                shown.revision().round() == shown.review().round()
                        ? null
                        : (long) shown.revision().round(),
                visit.number("against"),
                "split".equals(visit.query("view")),
                files == null || files < 1 ? 1 : files.intValue(),
                visit.said("find"));
    }

    ReviewAddress ofRound(@Nullable Long other) {
        return new ReviewAddress(review, other, null, beside, 1, "");
    }

    ReviewAddress comparedWith(@Nullable Long other) {
        return new ReviewAddress(review, round, other, beside, 1, "");
    }

    ReviewAddress laidOut(boolean inTwo) {
        return new ReviewAddress(review, round, against, inTwo, files, find);
    }

    ReviewAddress page(int number) {
        return new ReviewAddress(review, round, against, beside, number, find);
    }

    ReviewAddress all() {
        return new ReviewAddress(review, round, against, beside, 1, "");
    }

    String path() {
        List<String> query = query();
        if (files > 1) {
            query.add("files=" + files);
        }
        if (!find.isEmpty()) {
            query.add("find=" + Address.encoded(find));
        }
        return with(Address.review(review), query);
    }

    /** The page that shows the lines of this file, whatever else it holds back. */
    String open(int file) {
        return and("open=" + file);
    }

    /** The page that shows an older part of the timeline. */
    String past(TimelinePage.Mark from) {
        return and(PAST + "=" + from);
    }

    private String and(String more) {
        String page = path();
        return page + (page.contains("?") ? "&" : "?") + more;
    }

    /** Where a page that holds back a file's lines loads them from. */
    String file(int number, String revision) {
        List<String> query = query();
        query.add("revision=" + Address.encoded(revision));
        return with(Address.review(review) + "/files/" + number, query);
    }

    private List<String> query() {
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
        return query;
    }

    private static String with(String path, List<String> query) {
        return path + (query.isEmpty() ? "" : "?" + String.join("&", query));
    }
}
