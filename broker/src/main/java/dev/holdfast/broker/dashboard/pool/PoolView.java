package dev.holdfast.broker.dashboard.pool;

import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.OneDecimal;
import dev.holdfast.broker.dashboard.part.When;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * @param configured false: the broker runs no reviewers
 * @param heading whether reviewers can work
 * @param trouble what holds them back; null: nothing
 */
public record PoolView(
        boolean configured,
        String heading,
        String lead,
        List<Gauge> gauges,
        @Nullable Trouble trouble,
        List<Reviewer> reviewers,
        List<Reviewer> ended,
        @Nullable Log log) {
    /**
     * @param share how full the bar is, in percent; negative: there is no limit
     * @param warns whether reaching the limit stops something
     */
    public record Gauge(String name, String value, String of, double share, boolean warns) {
        /** The limit is almost reached. */
        public boolean near() {
            return warns && share >= 90;
        }

        public String width() {
            return OneDecimal.of(Math.clamp(share, 0, 100));
        }
    }

    /** @param said the last output of the reviewer that failed; empty: none */
    public record Trouble(String text, String said) {}

    /**
     * @param place the only project that it reviews, or the folder whose projects it reviews
     * @param doing what it reviews now; empty: nothing
     */
    public record Reviewer(
            Actor actor,
            String state,
            String icon,
            String look,
            String place,
            String doing,
            String path,
            @Nullable Lease lease,
            long verdicts,
            String approved,
            String average,
            When since,
            String broker,
            String end) {
        /** The values for the dialog that kills it. */
        public String fill() {
            return JsonMapper.shared().writeValueAsString(Map.of("reviewer_id", actor.name(), "who", actor.shown()));
        }

        /** What it has done, in words, where there is no room for columns. */
        public String done() {
            return verdicts == 0
                    ? "no verdicts yet"
                    : verdicts + (verdicts == 1 ? " verdict, " : " verdicts, ") + approved + " approved";
        }

        /** A folder's own name, which is what fits. */
        public String placeName() {
            return place.substring(place.lastIndexOf('/') + 1);
        }
    }

    /** @param matches how many lines match the search; without a search, how many there are */
    public record Log(Actor whose, String search, List<LogLine> lines, boolean ended, long matches) {}

    /** One line of a log, split into three parts around the match of a search. */
    public record LogLine(
            long number, String at, String channel, String look, String before, String found, String after) {}
}
