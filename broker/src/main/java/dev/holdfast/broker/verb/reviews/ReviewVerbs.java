package dev.holdfast.broker.verb.reviews;

import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.review.Reviews;
import java.util.List;
import java.util.stream.Stream;

/** The verbs of reviews. */
public record ReviewVerbs(Shapes shapes, Reviews reviews, Meters meters) {
    /** The verbs that MCP offers. */
    public List<Verb> verbs() {
        return Stream.of(
                        new ProposalVerbs(shapes, reviews).verbs(),
                        new ReviewerVerbs(shapes, reviews, new ReviewMeters(meters)).verbs(),
                        new QueueVerbs(shapes, reviews).verbs(),
                        new ReadingVerbs(shapes, reviews).verbs(),
                        new HistoryVerbs(shapes, reviews).verbs(),
                        List.of(new ApprovalVerbs(shapes, reviews.approvals()).check()))
                .flatMap(List::stream)
                .toList();
    }

    public Verb override() {
        return new ApprovalVerbs(shapes, reviews.approvals()).override();
    }

    public Verb importing() {
        return new ImportVerb(shapes, reviews).verb();
    }
}
