package dev.holdfast.cli.broker;

import dev.holdfast.cli.json.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * The broker's reply.
 *
 * @param text the JSON as received
 * @param date the header with the broker's time
 * @param repository the key of the repository that the call was about, if it was made in one
 */
public record Reply(
        boolean accepted,
        String text,
        JsonObject json,
        @Nullable String date,
        @Nullable String repository) {
    public ExitCode exitCode() {
        if (accepted) {
            return ExitCode.DONE;
        }
        String code = json.text("code");
        return code == null ? ExitCode.FAILED : ExitCode.of(code);
    }

    /** The refusal, for a person. */
    public String error() {
        String error = json.text("error");
        return error == null ? "the broker refused without a reason: " + text : error;
    }

    /** The broker's time, to the second: ages must not depend on this machine's clock. */
    public Instant at(Instant otherwise) {
        if (date == null) {
            return otherwise;
        }
        try {
            return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
        } catch (DateTimeException e) {
            return otherwise;
        }
    }
}
