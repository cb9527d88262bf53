package dev.holdfast.broker.auth;

import dev.holdfast.agent.Agents;
import dev.holdfast.agent.HostedSessions;
import dev.holdfast.token.TeamToken;
import dev.holdfast.token.Tokens;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * To whose token a name belongs: to the one of that name, to the one that it stands below ({@code ann/build} is ann's), or to the
 * one whose holder has started it; and so does a name that looks the same. Only whoever shows the token may use such a name.
 */
public record Membership(Tokens tokens, Agents agents, HostedSessions sessions) {
    /** Characters of no width, and those that fonts show as nothing. */
    private static final Pattern UNSEEN =
            Pattern.compile("[\\p{Cf}\\p{Cc}\\x{34F}\\x{115F}\\x{1160}\\x{3164}\\x{FE00}-\\x{FE0F}]");

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
        return byName.or(() -> startedBy(all, actor)).or(() -> lookedLike(all, actor));
    }

    /** Of names that people cannot tell apart, one is enough. */
    private static Optional<String> lookedLike(List<TeamToken> all, String actor) {
        String seen = seen(actor);
        return all.stream()
                .map(TeamToken::name)
                .filter(name -> seen.equals(seen(name)) || seen.startsWith(seen(name) + TeamToken.BELOW))
                .findFirst();
    }

    /** A name without what nobody sees, or sees a difference in: invisible characters, blanks around it, other forms of a letter. */
    private static String seen(String name) {
        return UNSEEN.matcher(Normalizer.normalize(name, Normalizer.Form.NFKC))
                .replaceAll("")
                .strip()
                .toLowerCase(Locale.ROOT);
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
