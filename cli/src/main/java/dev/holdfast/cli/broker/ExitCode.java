package dev.holdfast.cli.broker;

import java.util.List;

/** How a command ended, for scripts: the table that maps the broker's codes to exit codes. */
public enum ExitCode {
    DONE(0, "done"),
    FAILED(1, "failed, or not allowed", "failed", "internal", "unauthorized", "forbidden"),
    INVALID(2, "wrong command or argument", "invalid", "too_large"),
    HELD(3, "held by someone else, or by you already", "held"),
    NOT_FOUND(4, "not found", "not_found"),
    NOT_CLAIMABLE(5, "not possible in its current state", "not_claimable", "bad_state", "unread"),
    LOST(6, "the claim is lost: stop working on it", "lost", "stale", "wrong_holder", "not_held", "fence_missing"),
    BUSY(7, "broker busy or unreachable: try again", "busy", "unreachable", "unanswered"),
    NOT_APPROVED(8, "not approved", "not_approved"),
    ASKED(9, "the reviewer has asked a question (review wait)");

    private final int number;
    private final String meaning;
    private final List<String> codes;

    ExitCode(int number, String meaning, String... codes) {
        this.number = number;
        this.meaning = meaning;
        this.codes = List.of(codes);
    }

    public int number() {
        return number;
    }

    public String meaning() {
        return meaning;
    }

    /** The broker's codes, and the command line's own, that map to this exit code. */
    public List<String> codes() {
        return codes;
    }

    /** Unknown codes, such as a newer broker's, count as failed. */
    public static ExitCode of(String code) {
        for (ExitCode exitCode : values()) {
            if (exitCode.codes.contains(code)) {
                return exitCode;
            }
        }
        return FAILED;
    }
}
