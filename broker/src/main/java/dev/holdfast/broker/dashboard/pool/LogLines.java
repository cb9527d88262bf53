package dev.holdfast.broker.dashboard.pool;

import dev.holdfast.broker.dashboard.part.Actor;
import dev.holdfast.broker.dashboard.part.PlainWord;
import dev.holdfast.broker.pool.ReviewerPool;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The end of a reviewer's log, with the matches of a search. */
record LogLines(ReviewerPool pool) {
    private static final int AT_ONCE = 1_000;
    private static final int READ = 10_000;
    private static final int SHOWN = 300;
    private static final int LONGEST = 2_000;

    /** Null: there is no such reviewer, or its log is gone. */
    PoolView.@Nullable Log of(String reviewer, String search) {
        List<JsonNode> records = new ArrayList<>();
        boolean ended;
        try {
            long after = 0;
            ReviewerPool.LogPage said;
            do {
                said = pool.log(reviewer, after, AT_ONCE, Duration.ZERO);
                records.addAll(said.records());
                if (records.size() > READ) {
                    records.subList(0, records.size() - READ).clear();
                }
                if (!said.records().isEmpty()) {
                    after = said.records().getLast().path("n").asLong();
                }
            } while (said.records().size() == AT_ONCE);
            ended = said.ended();
        } catch (RefusedException _) {
            return null;
        }
        List<PoolView.LogLine> lines =
                records.stream().map(one -> line(one, search)).toList();
        List<PoolView.LogLine> shown = search.isEmpty()
                ? lines
                : lines.stream().filter(one -> !one.found().isEmpty()).toList();
        return new PoolView.Log(
                new Actor(reviewer),
                search,
                shown.subList(Math.max(0, shown.size() - SHOWN), shown.size()),
                ended,
                search.isEmpty() ? lines.size() : shown.size());
    }

    private static PoolView.LogLine line(JsonNode one, String search) {
        String stream = one.path("stream").asString("");
        String event = one.path("event").asString("");
        String text = stream.isEmpty()
                ? PlainWord.of(event) + " "
                        + one.path("message").asString(one.path("reason").asString(""))
                : one.path("message").asString("");
        String plain = Text.printable(text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…");
        int at = search.isEmpty() ? -1 : plain.toLowerCase(Locale.ROOT).indexOf(search.toLowerCase(Locale.ROOT));
        String time = one.path("ts").asString("");
        return new PoolView.LogLine(
                one.path("n").asLong(),
                time.length() >= 19 ? time.substring(11, 19) : time,
                stream.isEmpty() ? "event" : stream,
                stream.isEmpty() ? "evt" : stream.equals("stderr") ? "err" : "",
                at < 0 ? plain : plain.substring(0, at),
                at < 0 ? "" : plain.substring(at, at + search.length()),
                at < 0 ? "" : plain.substring(at + search.length()));
    }
}
