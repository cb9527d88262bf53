package dev.holdfast.cli.broker;

import dev.holdfast.cli.terminal.Printable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Ends the command without an answer from the broker. The message is for the user and says what to do. */
public final class Failure extends RuntimeException {
    private final String code;

    private Failure(String code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** The command line is wrong. Nothing was sent. */
    public static Failure invalid(String message) {
        return new Failure("invalid", message, null);
    }

    /** No broker is reachable. Nothing was sent. */
    public static Failure unreachable(String message, Throwable cause) {
        return new Failure("unreachable", message, cause);
    }

    /** The broker was called and did not answer; the call may have taken effect. */
    static Failure unanswered(String message, Throwable cause) {
        return new Failure("unanswered", message, cause);
    }

    public static Failure notFound(String message) {
        return new Failure("not_found", message, null);
    }

    /** Somebody else holds what the command is about. */
    public static Failure lost(String message) {
        return new Failure("lost", message, null);
    }

    /** The broker does not know the caller. */
    static Failure unauthorized(String message) {
        return new Failure("unauthorized", message, null);
    }

    public static Failure failed(String message, @Nullable Throwable cause) {
        return new Failure("failed", message, cause);
    }

    /** The broker refused. */
    public static Failure refused(Reply reply, String about) {
        return refused(reply, about, text -> text);
    }

    /** The same, reworded. */
    public static Failure refused(Reply reply, String about, UnaryOperator<String> wording) {
        String code = String.valueOf(reply.json().text("code"));
        String hint = code.equals("too_large") ? ". Split it into smaller changes, each with its own review." : "";
        return new Failure(code, about + ": " + Printable.of(wording.apply(reply.error())) + hint, null);
    }

    public String code() {
        return code;
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
