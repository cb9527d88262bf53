package dev.holdfast.broker.dashboard.review;

import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.review.discussion.Message;
import dev.holdfast.review.record.AuditEvent;
import dev.holdfast.review.record.Verdict;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A part of what happened to a review, newest first. A review can have any number of events and messages, and a page
 * shows only so many.
 *
 * @param older where the next older part begins; null: this is the oldest
 */
record TimelinePage(
        List<AuditEvent> events,
        List<Message> messages,
        List<Verdict> verdicts,
        @Nullable Mark older) {
    /** How many events are read, and how many messages. */
    static final int MAX = 200;

    private static final long ALWAYS = Long.MIN_VALUE;

    /** Where a part begins: before this event, this message and, for verdicts, this time. */
    record Mark(long event, long message, long micros) {
        private static final long END = 999_999_999_999_999_999L;
        static final Mark NEWEST = new Mark(END, END, END);

        /** Anything else than a mark is the newest part. */
        static Mark of(String said) {
            if (!said.matches("[0-9]{1,18}(\\.[0-9]{1,18}){2}")) {
                return NEWEST;
            }
            String[] parts = said.split("\\.", -1);
            return new Mark(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
        }

        @Override
        public String toString() {
            return event + "." + message + "." + micros;
        }
    }

    /** @param verdicts all of them: a review has few */
    static TimelinePage of(Sources sources, String id, List<Verdict> verdicts, Mark from) {
        List<AuditEvent> events = sources.reviews().history().newest(id, from.event(), MAX + 1);
        List<Message> messages = sources.reviews().discussion().newest(id, from.message(), MAX + 1);
        long since = Math.max(since(events, AuditEvent::at), since(messages, Message::at));
        List<AuditEvent> happened = events.stream()
                .limit(MAX)
                .takeWhile(one -> micros(one.at()) >= since)
                .toList();
        Set<String> shown =
                happened.stream().map(one -> one.text(AuditEvent.MESSAGE)).collect(Collectors.toSet());
        List<Message> said = messages.stream() // each with its event, which is a little younger
                .limit(MAX)
                .takeWhile(one -> micros(one.at()) >= since || shown.contains(one.id()))
                .toList();
        List<Verdict> judged = verdicts.stream()
                .filter(one -> micros(one.at()) >= since && micros(one.at()) < from.micros())
                .toList();
        Mark older = new Mark(
                happened.isEmpty() ? from.event() : happened.getLast().id(),
                said.isEmpty() ? from.message() : said.getLast().seq(),
                since);
        return new TimelinePage(happened, said, judged, since == ALWAYS ? null : older);
    }

    /** How far back all are known that fit on a page. */
    private static <T> long since(List<T> newestFirst, Function<T, Instant> at) {
        return newestFirst.size() <= MAX
                ? ALWAYS
                : newestFirst.stream()
                        .limit(MAX)
                        .map(at)
                        .mapToLong(TimelinePage::micros)
                        .min()
                        .orElse(ALWAYS);
    }

    private static long micros(Instant at) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, at);
    }
}
