package dev.holdfast.broker.team;

import dev.holdfast.broker.Given;
import dev.holdfast.broker.team.Member.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Repeats calls that got no answer, or {@code busy}, as every client should; records every answer. */
record PatientMember(Member member, ChaosBook book, Random random) {
    private static final int TRIES = 6;
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** @param lost how often it was sent before without an answer that reveals its outcome */
    record Reply(Answer answer, int lost) {}

    /** Empty: it may or may not have happened. */
    Optional<Reply> call(String verb, Object... arguments) throws InterruptedException {
        return call(TRIES, verb, arguments);
    }

    /** For calls that would take effect twice if they were sent twice. */
    Optional<Reply> once(String verb, Object... arguments) throws InterruptedException {
        return call(1, verb, arguments);
    }

    private Optional<Reply> call(int tries, String verb, Object... arguments) throws InterruptedException {
        Map<String, Object> body = Given.map(arguments);
        for (int sent = 0; sent < tries; sent++) {
            try {
                Answer answer = member.call(verb, body, PATIENCE);
                String code = answer.ok() ? "ok" : answer.code();
                book.sent(verb, code.isEmpty() ? Integer.toString(answer.status()) : code);
                if (answer.ok() || answer.status() / 100 == 4) {
                    return Optional.of(new Reply(answer, sent));
                }
                if (!code.equals("busy")) {
                    book.odd(verb + " " + body + ": " + answer.status() + " " + answer.body());
                }
            } catch (IOException e) {
                book.sent(verb, e.getClass().getSimpleName());
            }
            Thread.sleep(random.nextInt(1_000, 2_000 << Math.min(sent, 2))); // Retry-After says a second
        }
        book.unanswered();
        return Optional.empty();
    }
}
