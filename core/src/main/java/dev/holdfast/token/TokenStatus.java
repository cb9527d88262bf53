package dev.holdfast.token;

/** How it stands with a token that somebody shows. */
public sealed interface TokenStatus {
    record Good(TeamToken token) implements TokenStatus {}

    record Expired(TeamToken token) implements TokenStatus {}

    record Revoked(TeamToken token) implements TokenStatus {}

    /** There is none such, or it was replaced by a new one. */
    record Unknown() implements TokenStatus {}
}
