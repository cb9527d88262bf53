package dev.holdfast.broker.dashboard.page;

import dev.holdfast.broker.dashboard.diff.VisibleText;
import dev.holdfast.broker.dashboard.part.Address;
import dev.holdfast.broker.dashboard.part.ReviewTitle;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.review.record.Review;
import dev.holdfast.work.Reservations;
import dev.holdfast.work.WorkItem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What claims are on, as people call it. Reads all held work once: create one per page view. */
public final class Held {
    private static final int NAMED = 2;

    private final Sources sources;
    private final Map<String, WorkItem> work;

    public Held(Sources sources) {
        this.sources = sources;
        work = sources.work().backlog().held();
    }

    /**
     * One thing that somebody holds.
     *
     * @param place what kind of thing it is, and where it belongs
     */
    public record Thing(String title, String place) {}

    public Thing thing(Claim claim) {
        String id = claim.resource().id();
        return switch (claim.resource().kind()) {
            case REVIEW -> {
                Optional<Review> review = sources.reviews().catalogue().find(id);
                yield new Thing(
                        review.map(ReviewTitle::of).orElse(id),
                        "review"
                                + review.map(Review::project)
                                        .map(project -> " · " + project)
                                        .orElse(""));
            }
            case WORK -> {
                WorkItem item = work.get(id);
                yield new Thing(item == null ? id : item.title(), id);
            }
            case STEP -> new Thing(task(taskOf(id)) + ": step " + key(id), "step");
            case FINALIZATION -> new Thing("finishing " + task(id), "task");
            case RESERVATION ->
                reserved(id)
                        .map(one -> new Thing(
                                files(one.paths()), "files" + (one.queue().isEmpty() ? "" : " · " + one.queue())))
                        .orElseGet(() -> new Thing("files", "reservation"));
            case PATH, KEY, BROKER ->
                new Thing(
                        VisibleText.line(claim.resource().toString()),
                        claim.resource().kind().toString());
        };
    }

    private Optional<Reservations.Reserved> reserved(String id) {
        return sources.work().reservations().of(List.of(id)).stream().findFirst();
    }

    /** The first few; there can be hundreds. */
    private static String files(List<String> paths) {
        String first = paths.stream().limit(NAMED).map(VisibleText::line).collect(Collectors.joining(", "));
        return paths.size() <= NAMED ? first : first + " and " + (paths.size() - NAMED) + " more";
    }

    /** What a claim is on, as part of a sentence. */
    public String named(Claim claim) {
        String id = claim.resource().id();
        String title = thing(claim).title();
        return switch (claim.resource().kind()) {
            case REVIEW -> {
                String name = "review " + ReviewTitle.shortId(id);
                yield title.equals(name) ? name : name + ", " + title;
            }
            case WORK -> title.equals(id) ? id : id + ", " + title;
            case STEP -> "step " + key(id) + " of " + task(taskOf(id)) + " (" + ReviewTitle.shortId(taskOf(id)) + ")";
            case RESERVATION -> "a reservation of " + title;
            case FINALIZATION, PATH, KEY, BROKER -> title;
        };
    }

    private static String key(String step) {
        return step.substring(step.lastIndexOf('.') + 1);
    }

    private static String taskOf(String step) {
        int dot = step.lastIndexOf('.');
        return dot < 0 ? step : step.substring(0, dot);
    }

    private String task(String id) {
        try {
            return sources.tasks().get(id).name();
        } catch (RefusedException _) {
            return id;
        }
    }

    /** The page of what is claimed; if it has none, its events. */
    public static String path(Claim claim) {
        return Address.of(claim.resource())
                .orElseGet(() ->
                        "/events?resource=" + Address.encoded(claim.resource().toString()));
    }
}
