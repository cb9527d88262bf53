package dev.holdfast.broker.auth;

import dev.holdfast.agent.AgentActivity;
import dev.holdfast.agent.AgentProcess;
import dev.holdfast.agent.Caller;
import dev.holdfast.agent.Identities;
import dev.holdfast.agent.ReservedNames;
import dev.holdfast.broker.repository.RepositoryDefaults;
import dev.holdfast.broker.token.Token;
import dev.holdfast.broker.verb.AccessScope;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Call;
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
import dev.holdfast.token.Role;
import dev.holdfast.token.TeamToken;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Determines who calls and what they may do. A caller with the token of a pool reviewer is that reviewer, whoever else
 * it is known to be, and may only review; nobody else may use its name. A caller without a token may do everything
 * else: only callers on this machine get here without one.
 */
public record Callers(
        PoolReviewers reviewers,
        AgentActivity signs,
        Identities identities,
        ShortIds ids,
        RepositoryDefaults defaults,
        TeamCalls team,
        TokenOwnership belongings) {
    /** Besides read-only verbs. Reading a proposal as its holder changes its receipt. */
    private static final Set<String> REVIEWING = Set.of(
            "claim_review",
            "claim_next_review",
            "get_proposal",
            "submit_verdict",
            "release_review",
            "heartbeat",
            "add_message");

    /** Verbs that record the reviewer's activity in their own transaction. */
    private static final Set<String> NOTED = Set.of("submit_verdict");

    /** Asking for work is not activity. */
    private static final Set<String> WAITING = Set.of("list_reviews", "claim_next_review", "get_review_status");

    /** Verbs that end a token's secret. */
    private static final Set<String> ENDING = Set.of("revoke_token", "rotate_token");

    private static final String UNKNOWN = "unknown token; a reviewer's token is only valid while the reviewer runs";

    private static final Logger LOG = LoggerFactory.getLogger(Callers.class);

    /** Calls the verb for this caller, or refuses. */
    public Answer call(Verb verb, JsonNode given, Origin origin) {
        long start = System.nanoTime();
        Answer answer = Share.CALLS.turn().call(() -> answer(verb, given, origin));
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
                Answer answer = answered(() -> callAs(ofTeam.get(), verb, given, origin));
                return endsItself(ofTeam.get(), verb, answer) ? answer : checkedAgain(authorization, answer);
            }
            return authorization == null
                    ? callAsAnybody(verb, given, origin)
                    : Token.shown(authorization)
                            .flatMap(token -> reviewers.ofToken(token.hash()))
                            .map(reviewer -> {
                                Answer answer = answered(() -> callAs(reviewer, verb, given, origin));
                                return onlyTells(verb) ? checkedAgain(authorization, answer) : answer;
                            })
                            .orElseGet(() -> Answer.refused(RefusalCode.UNAUTHORIZED, UNKNOWN));
        } catch (RuntimeException e) {
            return Refusals.of(e).orElseThrow(() -> e);
        }
    }

    /** With refusals as answers: one that comes after a wait may tell as much as a result. */
    private static Answer answered(Supplier<Answer> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return Refusals.of(e).orElseThrow(() -> e);
        }
    }

    /** Whether nothing is lost if a pool reviewer that has ended meanwhile does not get the answer. */
    private static boolean onlyTells(Verb verb) {
        return verb.effect().readOnly() || WAITING.contains(verb.name());
    }

    /** Whether this call has itself ended the token it was made with: its answer may hold the new secret. */
    private static boolean endsItself(TeamToken token, Verb verb, Answer answer) {
        return ENDING.contains(verb.name())
                && answer.refusal() == null
                && token.id().equals(answer.body().get("id"));
    }

    /**
     * A call may wait for up to a minute. If its token is revoked or expires in the meantime, or its reviewer ends, the
     * answer is withheld.
     */
    private Answer checkedAgain(@Nullable String authorization, Answer answer) {
        try {
            checkKnown(authorization);
            return answer;
        } catch (RefusedException refused) {
            answer.undelivered().run();
            throw refused;
        } catch (StoreException _) {
            return answer; // it was valid when the call arrived
        }
    }

    /** Whether a stream for this authorization may continue: not once its token has ended. */
    public boolean mayContinue(@Nullable String authorization) {
        try {
            checkKnown(authorization);
            return true;
        } catch (RefusedException _) {
            return false;
        } catch (StoreException _) {
            return true; // it was valid when the stream began
        }
    }

    /**
     * Who is reading: the reviewer whose token was sent, otherwise the given name; null when there is neither.
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
        return named == null ? null : team.checkNotTaken(named);
    }

    /** @throws RefusedException when the token is limited to some projects, since this shows all of them */
    public void mayReadAll(@Nullable String authorization) {
        checkKnown(authorization).ifPresent(TeamCalls::checkUnconfined);
    }

    /**
     * The team token that was sent; empty: a pool reviewer's, or none.
     *
     * @throws RefusedException when it is neither, or no longer valid
     */
    private Optional<TeamToken> checkKnown(@Nullable String authorization) {
        Optional<TeamToken> ofTeam = team.token(authorization);
        if (ofTeam.isEmpty()
                && Token.shown(authorization).filter(token -> !knows(token)).isPresent()) {
            throw new RefusedException(RefusalCode.UNAUTHORIZED, UNKNOWN);
        }
        return ofTeam;
    }

    /** The agent that calls from there, if its session is known by its process; otherwise empty. */
    public Optional<String> session(Origin origin) {
        Caller caller = caller(origin);
        return caller.known() == Caller.Known.SESSION ? Optional.ofNullable(caller.name()) : Optional.empty();
    }

    /** The name that a caller with a team token has unless the call says another; empty: no such token. */
    public Optional<String> tokenName(Origin origin) {
        return team.token(origin.authorization()).map(TeamToken::name);
    }

    /** The repository that calls from there are about unless they name another. */
    public Optional<String> repository(Origin origin) {
        return defaults.of(new Call(origin, () -> caller(origin), reach(origin.authorization())));
    }

    private AccessScope reach(@Nullable String authorization) {
        return team.token(authorization)
                .map(team::reach)
                .orElseGet(() ->
                        Token.shown(authorization).filter(this::knows).isPresent() ? AccessScope.READER : team.reach());
    }

    /** Whether this is the token of a pool reviewer. */
    public boolean knows(Token token) {
        return reviewers.ofToken(token.hash()).isPresent();
    }

    private Answer callAsAnybody(Verb verb, JsonNode asked, Origin origin) {
        Call call = new Call(origin, () -> caller(origin), team.reach());
        JsonNode given = HolderArguments.filled(verb, asked, call::caller);
        for (String actor : verb.actors()) {
            String name = given.path(actor).asString("");
            if (ReservedNames.ofABroker(name)) {
                return Answer.refused(RefusalCode.UNAUTHORIZED, name + " is a broker's own name; give yours");
            }
            if (isOfThePool(name)) {
                return Answer.refused(RefusalCode.UNAUTHORIZED, onlyWithItsToken(name));
            }
            team.checkNotTaken(name);
            if (!name.isBlank() && Toolset.REVIEWS.offers(verb)) {
                signs.heard(name); // reservations for a reviewer last while it is heard from
            }
        }
        team.checkSession(verb, given);
        belongings.checkNobodys(verb, given);
        return ids.call(verb, defaults.filled(verb, given, call), call);
    }

    /** A caller with a team token acts under that token's names, in its roles and for its projects. */
    private Answer callAs(TeamToken token, Verb verb, JsonNode asked, Origin origin) {
        team.checkRole(token, verb);
        String self = team.self(token, named(origin.agent()));
        AtomicReference<String> actor = new AtomicReference<>(self);
        Call call = new Call(origin, () -> caller(token, actor.get(), origin), team.reach(token));
        if (!(HolderArguments.filled(verb, asked, () -> Caller.named(self)) instanceof ObjectNode given)) {
            return verb.call(asked, call); // the verb refuses it: not an object
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
        JsonNode scoped = defaults.filled(verb, own, call);
        return scoped instanceof ObjectNode arguments
                ? ids.call(verb, team.within(token, verb, arguments), call)
                : ids.call(verb, scoped, call);
    }

    /** All callers with the same token count as one: the names they give themselves prove nothing. */
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

    /** The caller, as far as known, of a call without a pool reviewer's token. */
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

    /** Anybody can set this header, and a wrong one must not make a call fail that does not need it. */
    private static @Nullable String named(@Nullable String agent) {
        return agent == null
                        || agent.isBlank()
                        || agent.length() > Text.LONGEST_HOLDER
                        || agent.equals("unknown")
                        || ReservedNames.ofThePool(agent)
                ? null
                : agent;
    }

    private Answer callAs(String reviewer, Verb verb, JsonNode given, Origin origin) {
        Call call = new Call(
                origin,
                () -> identities.ofToken(reviewer, PoolReviewer.engine(reviewer), belowBroker(origin.processes())));
        if (!mayReview(verb)) {
            return Answer.refused(
                    RefusalCode.FORBIDDEN,
                    reviewer + " is a reviewer of the broker's pool and may not call " + verb.name());
        }
        if (!(given instanceof ObjectNode arguments)) {
            return ids.call(verb, given, call); // the verb refuses it: not an object
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
            reviewers.heard(reviewer, false); // recorded first, because the call may wait
            return ids.call(verb, own, call);
        }
        Answer answer = ids.call(verb, own, call);
        if (!NOTED.contains(verb.name())) {
            reviewers.heard(reviewer, true);
        }
        return answer;
    }

    /** A pool reviewer may do nothing that a team's reviewer may not, and of that only what reviewing takes. */
    private static boolean mayReview(Verb verb) {
        return Permissions.allow(List.of(Role.REVIEWER), verb.name())
                && (verb.effect().readOnly() || REVIEWING.contains(verb.name()));
    }

    /** Drops the broker and its ancestors: an agent that started the broker is not one of its reviewers. */
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
