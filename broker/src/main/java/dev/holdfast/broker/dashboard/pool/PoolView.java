package dev.holdfast.broker.dashboard.pool;

import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.Lease;
import dev.holdfast.broker.dashboard.part.Tenths;
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
     * @param share of the bar that is full, in percent; negative: there is no limit
     * @param warns reaching the limit stops something
     */
    public record Gauge(String name, String value, String of, double share, boolean warns) {
        /** It is about to be reached. */
        public boolean near() {
            return warns && share >= 90;
        }

        public String width() {
            return Tenths.of(Math.clamp(share, 0, 100));
        }
    }

    /** @param said the last words of who failed; empty: none */
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
        /** What the dialog that kills it is filled with. */
        public String fill() {
            return JsonMapper.shared().writeValueAsString(Map.of("reviewer_id", actor.name(), "who", actor.shown()));
        }

        /** What it has done, in words; where there is no room for columns. */
        public String done() {
            return verdicts == 0
                    ? "no verdicts yet"
                    : verdicts + (verdicts == 1 ? " verdict, " : " verdicts, ") + approved + " approved";
        }

        /** A folder by its own name, which is what fits. */
        public String placeName() {
            return place.substring(place.lastIndexOf('/') + 1);
        }
    }

    /** @param matches how many lines have what is searched for */
    public record Log(Actor whose, String search, List<Said> lines, boolean ended, long matches) {}

    /** One line of a log; with what is searched for, in three parts. */
    public record Said(
            long number, String at, String channel, String look, String before, String found, String after) {}
}
