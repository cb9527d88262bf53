package dev.holdfast.broker.api;

import dev.holdfast.broker.verb.Answer;

/** Ends a request early with this answer. */
public final class EarlyAnswerException extends RuntimeException {
    private final int status;
    private final transient Answer answer;

    public EarlyAnswerException(Answer answer) {
        this(answer.status(), answer);
    }

    /** @param status the HTTP status, where it is more specific than the answer's code */
    EarlyAnswerException(int status, Answer answer) {
        super(String.valueOf(answer.body().get("error")), null, false, false);
        this.status = status;
        this.answer = answer;
    }

    public int status() {
        return status;
    }

    public Answer answer() {
        return answer;
    }
}
