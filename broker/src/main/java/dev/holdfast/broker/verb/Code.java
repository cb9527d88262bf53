package dev.holdfast.broker.verb;

import java.util.Arrays;
import java.util.Locale;

/** Why a call was refused, for programs; the one table of what HTTP makes of it. */
public enum Code {
    INVALID(400),
    UNAUTHORIZED(401),
    FORBIDDEN(403),
    NOT_FOUND(404),
    HELD(409),
    NOT_CLAIMABLE(409),
    BAD_STATE(409),
    /** To approve something, read it first. */
    UNREAD(409),
    LOST(412),
    STALE(412),
    FENCE_MISSING(412),
    WRONG_HOLDER(412),
    NOT_HELD(412),
    TOO_LARGE(413),
    /** Something broke that should not; the log has it under the id that the answer carries. */
    INTERNAL(500),
    BUSY(503);

    private final int status;
    private final String word = name().toLowerCase(Locale.ROOT);

    Code(int status) {
        this.status = status;
    }

    public int status() {
        return status;
    }

    public static Code of(String word) {
        return Arrays.stream(values())
                .filter(code -> code.word.equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no code " + word));
    }

    /** The word that stands in answers. */
    @Override
    public String toString() {
        return word;
    }
}
