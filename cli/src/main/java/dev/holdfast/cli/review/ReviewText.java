package dev.holdfast.cli.review;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.IoReason;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.RefusalWording;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and formats texts of reviews. */
public final class ReviewText {
    private ReviewText() {}

    /** The content of a file, or of stdin if the name is {@code -}. */
    static @Nullable String file(Invocation invocation, String option) {
        String name = invocation.arguments().text(option);
        return name == null ? null : file(invocation, option, name);
    }

    static String file(Invocation invocation, String what, String name) {
        try {
            return name.equals("-")
                    ? new String(invocation.shell().in().readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(name));
        } catch (IOException | InvalidPathException e) {
            throw Failure.invalid("cannot read " + what + " " + name + ": " + IoReason.of(e));
        }
    }

    /**
     * The description to propose: the given one; without one, for the next round of a review, that of the round before.
     *
     * @param next the option that names the review
     */
    public static @Nullable String description(Invocation invocation, String next) {
        Arguments given = invocation.arguments();
        String review = given.text(next);
        if (review == null || given.has("--description")) {
            return given.text("--description");
        }
        Reply before = invocation.broker().call("get_proposal", Map.of("review_id", review, "limit", 1));
        if (!before.accepted()) {
            throw Failure.refused(before, "cannot propose the next round", RefusalWording::of);
        }
        return before.json().text("description");
    }

    /** Whether the approving reviewer was shown all of it; unknown for old and imported approvals. */
    public static String readAll(@Nullable Object known) {
        return known instanceof Boolean all ? (all ? ", all of it read" : ", not all of it read") : "";
    }

    /** How much of the content somebody was shown. */
    static String read(JsonObject receipt) {
        boolean complete = Boolean.TRUE.equals(receipt.get("complete"));
        return "read by " + JsonText.orDash(receipt, "reviewer") + ", generation " + receipt.number("claim_generation")
                + ": "
                + (complete ? "all of it, " : receipt.number("characters_read") + " of ")
                + receipt.number("characters") + " characters";
    }

    /** Whose turn it is; empty when the broker does not say. */
    static String turn(JsonObject review) {
        JsonObject attention = review.object("attention");
        String turn = attention.text("turn");
        if (turn == null || turn.equals("nobody")) {
            return "";
        }
        String who = attention.text("who");
        return Printable.of(who == null ? turn : turn + " " + who);
    }

    /** What is known about somebody, in brackets after the name; empty when nothing was recorded. */
    public static String known(JsonObject somebody) {
        String by = somebody.text("known_by");
        String engine = somebody.text("engine");
        if (by == null) {
            return "";
        }
        String proof = switch (by) {
            case "token" -> "by its token";
            case "session" -> "by its session's process";
            case "name" -> "by name only";
            default -> "unknown";
        };
        return " (" + (engine == null ? "" : Printable.of(engine) + ", ") + proof + ")";
    }
}
