package dev.holdfast.broker.auth;

import dev.holdfast.agent.AgentProcess;
import dev.holdfast.agent.Caller;
import dev.holdfast.agent.Identities;
import dev.holdfast.agent.ReservedNames;
import dev.holdfast.agent.SignsOfLife;
import dev.holdfast.broker.repository.Scope;
import dev.holdfast.broker.token.Token;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Origin;
import dev.holdfast.broker.verb.Refusals;
import dev.holdfast.broker.verb.ShortIds;
import dev.holdfast.broker.verb.Toolset;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Text;
import dev.holdfast.review.pool.PoolReviewer;
import dev.holdfast.review.pool.PoolReviewers;
import dev.holdfast.store.Share;
import dev.holdfast.store.StoreException;
import dev.holdfast.token.TeamToken;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Who calls, and what it may do. Whoever shows the token of a reviewer of the pool is that reviewer, whoever else it is
 * known to be, and may only review; nobody else may use its name. Whoever shows nothing may do the rest, for only this machine gets here.
 */
public record Callers(
        PoolReviewers reviewers,
        SignsOfLife signs,
        Identities identities,
        ShortIds ids,
        Scope scope,
        TeamCalls team,
        TokenOwnership belongings) {
    /** Besides reading. Whoever reads a proposal as its holder changes what the holder has been shown. */
    private static final Set<String> REVIEWING = Set.of(
            "claim_review",
            "claim_next_review",
            "get_proposal",
            "submit_verdict",
            "release_review",
            "heartbeat",
            "add_message");

    /** What notes in its own transaction that the reviewer was at work. */
    private static final Set<String> NOTED = Set.of("submit_verdict");

    /** Asking for something to do is not doing it. */
    private static final Set<String> WAITING = Set.of("list_reviews", "claim_next_review", "get_review_status");

    private static final Logger LOG = LoggerFactory.getLogger(Callers.class);

    /** Calls the verb for this caller, or refuses. */
    public Answer call(Verb verb, JsonNode given, Origin origin) {
        long start = System.nanoTime();
        Answer answer = Share.CALLS.call(() -> answer(verb, given, origin));
        if (LOG.isDebugEnabled()) {
            LOG.debug(
                    "{}: {}, {} ms",
                    verb.name(),
                    answer.refusal() == null ? "done" : answer.refusal(),
                    (System.nanoTime() - start) / 1_000_000);
        }
        return answer;
    }

    private Answer answer(Verb verb, JsonNode given, Origin origin) {
        String authorization = origin.authorization();
        try {
            Optional<TeamToken> ofTeam = team.token(authorization);
            if (ofTeam.isPresent()) {
                return stillGood(authorization, callAs(ofTeam.get(), verb, given, origin));
            }
            return authorization == null
                    ? callAsAnybody(verb, given, origin)
                    : Token.shown(authorization)
                            .flatMap(token -> reviewers.ofToken(token.hash()))
                            .map(reviewer -> callAs(reviewer, verb, given, origin))
                            .orElseGet(() -> Answer.refused(
                                    RefusalCode.UNAUTHORIZED,
                                    "unknown token; a reviewer's token is only valid while the reviewer runs"));
        } catch (RuntimeException e) {
            return Refusals.of(e).orElseThrow(() -> e);
        }
    }

    /** A call may wait for a minute, and its token may be revoked or expire meanwhile: then it gets nothing. */
    private Answer stillGood(@Nullable String authorization, Answer answer) {
        try {
            team.token(authorization);
            return answer;
        } catch (RefusedException refused) {
            answer.undelivered().run();
            throw refused;
        } catch (StoreException _) {
            return answer; // it was good when it came
        }
    }

    /** Whether a stream to whoever shows this may go on: not when its token was revoked or has expired. */
    public boolean mayGoOn(@Nullable String authorization) {
        try {
            team.token(authorization);
            return true;
        } catch (RefusedException _) {
            return false;
        } catch (StoreException _) {
            return true; // it was good when it came
        }
    }

    /**
     * Who reads: the reviewer whose token is shown, else whoever is named; null when nobody is.
     *
     * @throws RefusedException when the name is somebody else's
     */
    public @Nullable String reader(@Nullable String named, @Nullable String authorization) {
        Optional<TeamToken> ofTeam = team.token(authorization);
        if (ofTeam.isPresent()) {
            return named == null ? null : team.checked(ofTeam.get(), named);
        }
        Optional<String> reviewer = Token.shown(authorization).flatMap(token -> reviewers.ofToken(token.hash()));
        if (reviewer.isPresent()) {
            if (named != null && !named.equals(reviewer.get())) {
                throw new RefusedException(RefusalCode.FORBIDDEN, onlyAsItself(reviewer.get()));
            }
            return reviewer.get();
        }
        if (named != null && isOfThePool(named)) {
            throw new RefusedException(RefusalCode.UNAUTHORIZED, onlyWithItsToken(named));
        }
        return named == null ? null : team.nobodysElse(named);
    }

    /** @throws RefusedException when the token that is shown is good for some projects only, and what is asked for is of all */
    public void mayReadAll(@Nullable String authorization) {
        team.token(authorization).ifPresent(TeamCalls::checkUnconfined);
    }

    /** Who calls from there, where a session is known by its process; empty otherwise. */
    public Optional<String> session(Origin origin) {
        Caller caller = caller(origin);
        return caller.known() == Caller.Known.SESSION ? Optional.ofNullable(caller.name()) : Optional.empty();
    }

    /** The repository that calls from there mean unless they name another. */
    public Optional<String> repository(Origin origin) {
        return scope.of(origin.calledBy(() -> caller(origin)));
    }

    /** Whether it is the token of a reviewer of the pool. */
    public boolean knows(Token token) {
        return reviewers.ofToken(token.hash()).isPresent();
    }

    private Answer callAsAnybody(Verb verb, JsonNode asked, Origin origin) {
        Origin from = origin.calledBy(() -> caller(origin));
        JsonNode given = HolderArguments.filled(verb, asked, from::caller);
        for (String actor : verb.actors()) {
            String name = given.path(actor).asString("");
            if (ReservedNames.ofABroker(name)) {
                return Answer.refused(RefusalCode.UNAUTHORIZED, name + " is a broker's own name; give yours");
            }
            if (isOfThePool(name)) {
                return Answer.refused(RefusalCode.UNAUTHORIZED, onlyWithItsToken(name));
            }
            team.nobodysElse(name);
            if (!name.isBlank() && Toolset.REVIEWS.offers(verb)) {
                signs.heard(name); // what is reserved for a reviewer is so while it is heard of
            }
        }
        team.checkSession(verb, given);
        belongings.checkNobodys(verb, given);
        try {
            return ids.call(verb, scope.filled(verb, given, from), from);
        } finally {
            handBack(from, origin);
        }
    }

    /** Whoever shows a token of the team acts under its names, in its roles and for its projects. */
    private Answer callAs(TeamToken token, Verb verb, JsonNode asked, Origin origin) {
        team.checkRole(token, verb);
        String self = team.self(token, named(origin.agent()));
        AtomicReference<String> actor = new AtomicReference<>(self);
        Origin from = origin.calledBy(() -> caller(token, actor.get(), origin));
        if (!(HolderArguments.filled(verb, asked, () -> Caller.named(self)) instanceof ObjectNode given)) {
            return verb.call(asked, from); // refused for what it is
        }
        ObjectNode own = team.own(token, verb, given, self);
        verb.actors().stream()
                .map(field -> own.path(field).asString(""))
                .filter(name -> !name.isBlank())
                .findFirst()
                .ifPresent(actor::set);
        if (!actor.get().equals(token.name()) && Toolset.REVIEWS.offers(verb)) {
            signs.heard(actor.get());
        }
        try {
            JsonNode scoped = scope.filled(verb, own, from);
            return scoped instanceof ObjectNode arguments
                    ? ids.call(verb, team.within(token, verb, arguments), from)
                    : ids.call(verb, scoped, from);
        } finally {
            handBack(from, origin);
        }
    }

    private static void handBack(Origin from, Origin origin) {
        Optional.ofNullable(from.notice()).ifPresent(origin::notice);
        Optional.ofNullable(from.repositoryKey()).ifPresent(origin::isAbout);
    }

    /** All who show the same token count as one: nobody vouches for what they call themselves. */
    private Caller caller(TeamToken token, String actor, Origin origin) {
        Set<String> sessions = new LinkedHashSet<>();
        if (!actor.equals(token.name())) {
            sessions.add(actor);
        }
        Caller byProcess = identities.of(origin.processes(), null);
        if (byProcess.known() == Caller.Known.SESSION) {
            sessions.addAll(byProcess.sessions());
        }
        return new Caller(Caller.Known.TOKEN, token.name(), List.copyOf(sessions), team.engine(token, actor), null);
    }

    /** Who it is that shows no token of the pool, as far as it is known. */
    public Caller caller(Origin origin) {
        Optional<TeamToken> ofTeam = team.token(origin.authorization());
        if (ofTeam.isPresent()) {
            return caller(ofTeam.get(), team.self(ofTeam.get(), named(origin.agent())), origin);
        }
        Caller caller = identities.of(origin.processes(), named(origin.agent()));
        String person = named(origin.person());
        if (person == null) {
            return caller;
        }
        Caller known = caller.known() == Caller.Known.NOTHING ? identities.of(origin.processes(), person) : caller;
        return known.known() == Caller.Known.NAME && person.equals(known.name()) ? known.asPerson() : known;
    }

    /** A header is said by anybody, and must not make a call fail that does not need it. */
    private static @Nullable String named(@Nullable String agent) {
        return agent == null
                        || agent.isBlank()
                        || agent.length() > Text.LONGEST_HOLDER
                        || agent.equals("unknown")
                        || ReservedNames.ofThePool(agent)
                ? null
                : agent;
    }

    private Answer callAs(String reviewer, Verb verb, JsonNode given, Origin from) {
        Origin origin = from.calledBy(
                () -> identities.ofToken(reviewer, PoolReviewer.engine(reviewer), belowBroker(from.processes())));
        if (!verb.nature().readOnly() && !REVIEWING.contains(verb.name())) {
            return Answer.refused(
                    RefusalCode.FORBIDDEN,
                    reviewer + " is a reviewer of the broker's pool and may not call " + verb.name());
        }
        if (!(given instanceof ObjectNode arguments)) {
            return ids.call(verb, given, origin); // refused for what it is
        }
        ObjectNode own = arguments.deepCopy();
        for (String actor : verb.actors()) {
            String name = own.path(actor).asString("");
            if (name.isBlank()) {
                own.put(actor, reviewer);
            } else if (!name.equals(reviewer)) {
                return Answer.refused(RefusalCode.FORBIDDEN, onlyAsItself(reviewer));
            }
        }
        if (verb.name().equals("add_message")
                && !own.path("sender_role").asString("").equals("reviewer")) {
            return Answer.refused(RefusalCode.FORBIDDEN, reviewer + " can only speak as reviewer");
        }
        if (WAITING.contains(verb.name())) {
            reviewers.heard(reviewer, false); // it may be a while
            return ids.call(verb, own, origin);
        }
        Answer answer = ids.call(verb, own, origin);
        if (!NOTED.contains(verb.name())) {
            reviewers.heard(reviewer, true);
        }
        return answer;
    }

    /** Without the broker, and what started it: an agent that has is not its reviewers. */
    private static List<AgentProcess> belowBroker(List<AgentProcess> processes) {
        long broker = ProcessHandle.current().pid();
        return processes.stream().takeWhile(one -> one.pid() != broker).toList();
    }

    private boolean isOfThePool(String name) {
        return ReservedNames.ofThePool(name) && reviewers.find(name).isPresent();
    }

    private static String onlyWithItsToken(String name) {
        return name + " is a reviewer of the broker's pool; only itself can use that name, with its token";
    }

    private static String onlyAsItself(String reviewer) {
        return "this is the token of " + reviewer + ", which can only act as itself";
    }
}
