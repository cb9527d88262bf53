package dev.holdfast.token;

/** How it stands with a token that somebody shows. */
public sealed interface Standing {
    record Good(TeamToken token) implements Standing {}

    record Expired(TeamToken token) implements Standing {}

    record Revoked(TeamToken token) implements Standing {}

    /** There is none such, or it was replaced by a new one. */
    record Unknown() implements Standing {}
}
