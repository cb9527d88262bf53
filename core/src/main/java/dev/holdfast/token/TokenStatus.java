package dev.holdfast.token;

/** The status of a token that somebody presents. */
public sealed interface TokenStatus {
    record Good(TeamToken token) implements TokenStatus {}

    record Expired(TeamToken token) implements TokenStatus {}

    record Revoked(TeamToken token) implements TokenStatus {}

    /** No such token, or it was replaced by a new one. */
    record Unknown() implements TokenStatus {}
}
