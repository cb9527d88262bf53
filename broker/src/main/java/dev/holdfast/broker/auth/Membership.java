package dev.holdfast.broker.auth;

import dev.holdfast.agent.Agents;
import dev.holdfast.agent.HostedSessions;
import dev.holdfast.token.TeamToken;
import dev.holdfast.token.Tokens;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * To whose token a name belongs: to the one of that name, to the one that it stands below ({@code ann/build} is ann's), or to the
 * one whose holder has started it. Only whoever shows the token may use such a name.
 */
public final class Membership {
    private final Tokens tokens;
    private final Agents agents;
    private final HostedSessions sessions;

    public Membership(Tokens tokens, Agents agents, HostedSessions sessions) {
        this.tokens = tokens;
        this.agents = agents;
        this.sessions = sessions;
    }

    /** Whether there are tokens at all. */
    boolean any() {
        return !tokens.unrevoked().isEmpty();
    }

    /** The name of the token that this actor belongs to; empty: to none, as everybody on a machine of one's own. */
    public Optional<String> of(String actor) {
        List<TeamToken> all = tokens.unrevoked();
        if (all.isEmpty() || actor.isBlank()) {
            return Optional.empty();
        }
        Optional<String> byName = all.stream()
                .filter(token -> token.names(actor))
                .map(TeamToken::name)
                .findFirst();
        return byName.isPresent() ? byName : startedBy(all, actor);
    }

    private Optional<String> startedBy(List<TeamToken> all, String actor) {
        Set<String> starters = agents.starters(actor);
        return all.stream()
                .filter(token -> starters.stream().anyMatch(token::names))
                .map(TeamToken::name)
                .findFirst();
    }

    /** As {@link #of}, of the agent that has this session; empty also when nobody has. */
    public Optional<String> ofSession(String sessionId) {
        return tokens.unrevoked().isEmpty()
                ? Optional.empty()
                : sessions.binding(sessionId).flatMap(known -> of(known.agent().id()));
    }

    /** Whether there is such a session. */
    boolean hasBegun(String sessionId) {
        return sessions.binding(sessionId).isPresent();
    }

    boolean isOf(TeamToken token, String actor) {
        return token.names(actor) || of(actor).filter(token.name()::equals).isPresent();
    }
}
