package dev.holdfast.claim;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The reasons for refusals, for programs: the one table of codes, with the HTTP status, exit code and meaning of each.
 */
public enum RefusalCode {
    INVALID(400, 2, "the call or one of its arguments is wrong"),
    UNAUTHORIZED(401, 1, "a token is missing or wrong"),
    FORBIDDEN(403, 1, "the caller may not do this"),
    NOT_FOUND(404, 4, "it was not found"),
    HELD(409, 3, "someone else has it"),
    NOT_CLAIMABLE(409, 5, "it cannot be claimed in its current state"),
    BAD_STATE(409, 5, "it is not possible in its current state"),
    UNREAD(409, 5, "to approve something, read it first"),
    LOST(412, 6, "the claim is lost: stop working on it"),
    STALE(412, 6, "the claim or the content is no longer current"),
    FENCE_MISSING(412, 6, "the change needs the holder and generation of a claim"),
    WRONG_HOLDER(412, 6, "the claim is someone else's"),
    NOT_HELD(412, 6, "nobody holds it; claim it first"),
    TOO_LARGE(413, 2, "the call is larger than a limit"),
    INTERNAL(500, 1, "internal error; the broker's log has it under the id in the answer"),
    BUSY(503, 7, "try again in a moment");

    private final int status;
    private final int exitCode;
    private final String meaning;
    private final String word = name().toLowerCase(Locale.ROOT);

    RefusalCode(int status, int exitCode, String meaning) {
        this.status = status;
        this.exitCode = exitCode;
        this.meaning = meaning;
    }

    /** The HTTP status of the answer. */
    public int status() {
        return status;
    }

    /** The exit code of a refused command. */
    public int exitCode() {
        return exitCode;
    }

    /** The general meaning; a refusal's own message says what happened, to what, and what to do. */
    public String meaning() {
        return meaning;
    }

    public static Optional<RefusalCode> of(String word) {
        return Arrays.stream(values()).filter(code -> code.word.equals(word)).findFirst();
    }

    /** The code as it appears in answers. */
    @Override
    public String toString() {
        return word;
    }
}
