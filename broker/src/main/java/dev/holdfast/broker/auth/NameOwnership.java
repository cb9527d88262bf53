package dev.holdfast.broker.auth;

import dev.holdfast.agent.Agents;
import dev.holdfast.agent.HostedSessions;
import dev.holdfast.token.NameSkeleton;
import dev.holdfast.token.TeamToken;
import dev.holdfast.token.Tokens;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Maps names to the tokens that own them: the token of that name, the one it is below ({@code ann/build} is ann's), or
 * the one whose holder started it. Only callers with the token may use such a name, and nobody one that merely looks
 * the same.
 */
public record NameOwnership(Tokens tokens, Agents agents, HostedSessions sessions) {
    /** Whether there are any tokens. */
    boolean any() {
        return !tokens.unrevoked().isEmpty();
    }

    /** The name of the token that owns this actor; empty: none, as always on a single-user machine without tokens. */
    public Optional<String> of(String actor) {
        List<TeamToken> all = tokens.unrevoked();
        if (all.isEmpty() || actor.isBlank()) {
            return Optional.empty();
        }
        return owner(all, actor).or(() -> lookedLike(all, actor));
    }

    private Optional<String> owner(List<TeamToken> all, String actor) {
        return all.stream()
                .filter(token -> token.names(actor))
                .map(TeamToken::name)
                .findFirst()
                .or(() -> startedBy(all, actor));
    }

    /** A name that people cannot tell from a token's belongs to that token. */
    private static Optional<String> lookedLike(List<TeamToken> all, String actor) {
        NameSkeleton seen = NameSkeleton.of(actor);
        return all.stream().map(TeamToken::name).filter(seen::isTakenFor).findFirst();
    }

    private Optional<String> startedBy(List<TeamToken> all, String actor) {
        Set<String> starters = agents.starters(actor);
        return all.stream()
                .filter(token -> starters.stream().anyMatch(token::names))
                .map(TeamToken::name)
                .findFirst();
    }

    /** Like {@link #of}, for the agent of this session; also empty when there is no such session. */
    public Optional<String> ofSession(String sessionId) {
        return tokens.unrevoked().isEmpty()
                ? Optional.empty()
                : sessions.binding(sessionId).flatMap(known -> of(known.agent().id()));
    }

    boolean hasBegun(String sessionId) {
        return sessions.binding(sessionId).isPresent();
    }

    /**
     * Whether the token may act under this name. Names that merely look like its own are nobody's: what is done under
     * one would not be recognised as the token's later, and its holder could approve its own changes.
     */
    boolean isOf(TeamToken token, String actor) {
        return token.names(actor)
                || owner(tokens.unrevoked(), actor).filter(token.name()::equals).isPresent();
    }
}
