package dev.holdfast.broker.auth;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.Agents;
import dev.holdfast.broker.token.Token;
import dev.holdfast.broker.verb.AccessScope;
import dev.holdfast.broker.verb.ChangedArguments;
import dev.holdfast.broker.verb.ShortIds;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.Kind;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.claim.Resource;
import dev.holdfast.review.record.Proposer;
import dev.holdfast.token.Role;
import dev.holdfast.token.TeamToken;
import dev.holdfast.token.TokenStatus;
import dev.holdfast.token.Tokens;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Enforces what a team token allows: the verbs of its roles ({@link Permissions}), the names of its holder
 * ({@link NameOwnership}), its projects ({@link ProjectScope}), and reviews that its holder proposed.
 */
public final class TeamCalls {
    /** Verbs that record the actor, or whose permission depends on it. */
    private static final Set<String> SIGNED = Set.of("submit_verdict", "create_review", "create_work");

    /** What only its proposer may do to a review. */
    private static final Set<String> OF_THE_PROPOSER =
            Set.of("create_review", "close_review", "withdraw_review", "accept_counter_patch", "reject_counter_patch");

    private final Tokens tokens;
    private final NameOwnership members;
    private final Agents agents;
    private final Function<String, List<Proposer>> proposers;
    private final ShortIds ids;
    private final Function<Resource, Optional<String>> projectOf;
    private final ProjectScope projects;

    /**
     * @param proposers the proposers of a review's rounds
     * @param projectOf the project, queue or namespace of a resource; empty: it does not exist
     * @param holderOf who holds a resource; empty: nobody
     */
    public TeamCalls(
            Tokens tokens,
            NameOwnership members,
            Agents agents,
            Function<String, List<Proposer>> proposers,
            ShortIds ids,
            Function<Resource, Optional<String>> projectOf,
            Function<Resource, Optional<String>> holderOf) {
        this.tokens = tokens;
        this.members = members;
        this.agents = agents;
        this.proposers = proposers;
        this.ids = ids;
        this.projectOf = projectOf;
        projects = new ProjectScope(
                projectOf,
                (token, thing) -> holderOf.apply(thing)
                        .map(holder -> members.isOf(token, holder))
                        .orElse(thing.kind()
                                == Kind.RESERVATION)); // nobody else ever holds a reservation that was lost
    }

    /**
     * The team token that was sent, or with which the browser signed in; empty: not a team token.
     *
     * @throws RefusedException when it is no longer valid
     */
    public Optional<TeamToken> token(@Nullable String authorization) {
        String shown = Token.shown(authorization).map(Token::text).orElse("");
        boolean session = SignIn.isSession(shown);
        if (!session && !new Token(shown).isOfTeam()) {
            return Optional.empty();
        }
        return switch (session ? tokens.signedIn(shown) : tokens.shown(shown)) {
            case TokenStatus.Good(TeamToken token) -> Optional.of(token);
            case TokenStatus.Expired(TeamToken token) -> throw unauthorized(expired(token));
            case TokenStatus.Revoked(TeamToken token) -> throw unauthorized(revoked(token));
            case TokenStatus.Unknown() -> throw unauthorized(UNKNOWN);
        };
    }

    static final String UNKNOWN = "unknown token; an admin creates one with 'holdfast token create'";

    static String expired(TeamToken token) {
        return "the token " + token.name() + " expired at " + token.expiresAt()
                + "; an admin renews it with 'holdfast token rotate " + token.name() + "'";
    }

    static String revoked(TeamToken token) {
        return "the token " + token.name() + " was revoked at " + token.revokedAt()
                + "; an admin creates another with 'holdfast token create'";
    }

    private static RefusedException unauthorized(String text) {
        return new RefusedException(RefusalCode.UNAUTHORIZED, text);
    }

    private static RefusedException forbidden(String text) {
        return new RefusedException(RefusalCode.FORBIDDEN, text);
    }

    /** For what its roles do not allow. */
    private static RefusedException forbidden(TeamToken token, String what) {
        return forbidden("the token " + token.name() + " (" + words(token.roles(), "and") + ") " + what);
    }

    void checkRole(TeamToken token, Verb verb) {
        if (!Permissions.allow(token.roles(), verb.name())) {
            throw forbidden(
                    token, "may not call " + verb.name() + "; that needs " + words(Permissions.of(verb.name()), "or"));
        }
    }

    private static String words(Set<Role> roles, String joined) {
        List<String> names = roles.stream().sorted().map(Role::toString).toList();
        int last = names.size() - 1;
        return last < 1
                ? String.join("", names)
                : String.join(", ", names.subList(0, last)) + " " + joined + " " + names.get(last);
    }

    /**
     * Who is calling if the call itself does not say: the name sent with it if the token owns that, otherwise the
     * token's own.
     */
    String self(TeamToken token, @Nullable String said) {
        return said != null && members.isOf(token, said) ? said : token.name();
    }

    /** The kind of this actor, as its session says; an admin acting under the token's own name counts as a person. */
    @Nullable
    String engine(TeamToken token, String actor) {
        return agents.find(actor)
                .map(Agent::kind)
                .orElse(actor.equals(token.name()) && token.roles().contains(Role.ADMIN) ? "person" : null);
    }

    /** @throws RefusedException when the token does not own the name */
    String checked(TeamToken token, String actor) {
        if (!members.isOf(token, actor)) {
            throw forbidden(
                    "this is the token of " + token.name() + ", which cannot act as " + actor + "; its names are "
                            + token.name() + ", those that begin with " + token.name() + TeamToken.BELOW
                            + ", and the sessions started with it");
        }
        return actor;
    }

    /** @throws RefusedException when a token owns the name */
    String checkNotTaken(String actor) {
        members.of(actor).ifPresent(token -> {
            throw unauthorized(
                    actor + " is a name of the token " + token + "; only callers with that token can use it");
        });
        return actor;
    }

    /** Sessions belong to the token that started them, and so do their names. */
    void checkSession(Verb verb, JsonNode given) {
        if (verb.name().equals("start_session") || verb.name().equals("end_session")) {
            checkNotTaken(given.path("name").asString(""));
            checkNotTaken(given.path("parent").asString(""));
            String session = given.path("session_id").asString("");
            if (!session.isBlank()) {
                members.ofSession(session).ifPresent(token -> {
                    throw unauthorized("session " + session + " was started with the token " + token
                            + "; only callers with that token can use it");
                });
            }
        }
    }

    /**
     * The call, under names of the token's holder.
     *
     * @param self who calls
     * @throws RefusedException when it uses or concerns somebody else's name
     */
    ObjectNode own(TeamToken token, Verb verb, ObjectNode given, String self) {
        ChangedArguments own = new ChangedArguments(given);
        for (String actor : verb.actors()) {
            String name = given.path(actor).asString("");
            if (!name.isBlank()) {
                checked(token, name);
            } else if (SIGNED.contains(verb.name())) {
                own.put(actor, self);
            }
        }
        switch (verb.name()) {
            case "start_session" -> startSession(token, given, own, self);
            case "end_session" -> endSession(token, given);
            case "claim", "claim_next" -> checkKind(token, verb, given);
            case "create_task" -> checkFollowUps(token, given);
            case "add_message" -> checkSender(token, given);
            default -> {}
        }
        return own.all();
    }

    private void startSession(TeamToken token, ObjectNode given, ChangedArguments own, String self) {
        String session = given.path("session_id").asString("");
        if (!session.isBlank() && members.hasBegun(session)) {
            checkOwnSession(token, session);
        }
        String name = given.path("name").asString("");
        if (token.confined() && !name.isBlank()) {
            checked(token, name); // whether another project's agent or token has a name is not for it to know
        }
        members.of(name).filter(other -> !other.equals(token.name())).ifPresent(other -> {
            throw forbidden(name + " is a name of the token " + other + "; choose another");
        });
        String parent = given.path("parent").asString("");
        own.put("parent", parent.isBlank() ? self : checked(token, parent));
    }

    private void endSession(TeamToken token, ObjectNode given) {
        String session = given.path("session_id").asString("");
        if (!session.isBlank() && members.hasBegun(session)) {
            checkOwnSession(token, session);
        }
    }

    private void checkOwnSession(TeamToken token, String session) {
        if (members.ofSession(session).filter(token.name()::equals).isEmpty()) {
            throw forbidden(
                    "session " + session + " was not started with the token " + token.name() + "; start your own");
        }
    }

    private static void checkKind(TeamToken token, Verb verb, ObjectNode given) {
        String named = given.path("resource").asString(given.path("kind").asString(""));
        Kind.of(named.split(":", 2)[0]).ifPresent(kind -> {
            if (!Permissions.allowClaiming(token.roles(), kind)) {
                throw forbidden(token, "may not " + verb.name() + " a " + kind);
            }
        });
    }

    /** Whoever creates a task must be allowed to do what the broker does for it at its end. */
    private static void checkFollowUps(TeamToken token, ObjectNode given) {
        checkFollowUp(token, given, "open_review", "create_review", "opens a review");
        checkFollowUp(token, given, "close_work", "close_work", "closes a work item");
    }

    private static void checkFollowUp(TeamToken token, ObjectNode given, String action, String verb, String does) {
        if (given.path("on_finish").has(action) && !Permissions.allow(token.roles(), verb)) {
            throw forbidden(
                    token, "may not create a task that " + does + "; that needs " + words(Permissions.of(verb), "or"));
        }
    }

    private static void checkSender(TeamToken token, ObjectNode given) {
        String as = given.path("sender_role").asString("");
        boolean may = switch (as) {
            case "proposer" -> token.roles().contains(Role.PROPOSER);
            case "reviewer" -> token.roles().contains(Role.REVIEWER);
            default -> true; // the verb reports the invalid value
        };
        if (!may && !token.roles().contains(Role.ADMIN)) {
            throw forbidden(token, "cannot speak as " + as);
        }
    }

    /** Whether only its proposer may do this to a review. */
    static boolean isOfTheProposer(Verb verb, ObjectNode given) {
        boolean speaks = verb.name().equals("add_message")
                && given.path("sender_role").asString("").equals("proposer");
        return speaks || OF_THE_PROPOSER.contains(verb.name());
    }

    /** The call with full ids, limited to what the token allows. */
    ObjectNode within(TeamToken token, Verb verb, ObjectNode given) {
        boolean ofTheProposer = isOfTheProposer(verb, given);
        if (!token.confined() && !ofTheProposer) {
            return given;
        }
        ObjectNode whole = token.confined()
                ? ids.whole(verb, given, thing -> projects.exists(token, thing))
                : ids.whole(verb, given);
        ObjectNode within = projects.within(token, verb, whole); // first: other projects do not exist for the token
        if (ofTheProposer && !token.roles().contains(Role.ADMIN)) {
            checkProposed(token, verb, within.path("review_id").asString(""));
        }
        return within;
    }

    /** How far callers with this token reach. */
    AccessScope reach(TeamToken token) {
        return new AccessScope(
                !token.confined(),
                thing -> projects.exists(token, thing),
                name -> members.of(name).isEmpty() || members.isOf(token, name),
                token::covers,
                !Permissions.allow(token.roles(), "start_session"));
    }

    /** How far callers without a token reach. */
    AccessScope reach() {
        return new AccessScope(true, _ -> true, name -> members.of(name).isEmpty(), _ -> true, false);
    }

    private void checkProposed(TeamToken token, Verb verb, String review) {
        List<Proposer> by = review.isBlank() ? List.of() : proposers.apply(review);
        boolean exists = !review.isBlank()
                && projectOf.apply(new Resource(Kind.REVIEW, review)).isPresent();
        if (exists && by.stream().noneMatch(one -> one.kin().contains(token.name()))) {
            throw forbidden("review " + review + " was not proposed with the token " + token.name() + ", which may not "
                    + verb.name() + " it; its proposer or an admin can");
        }
    }

    /** @throws RefusedException when the token is limited to some projects */
    static void checkUnconfined(TeamToken token) {
        if (token.confined()) {
            throw forbidden("the token " + token.name() + " is limited to " + String.join(", ", token.projects())
                    + ", and this shows all projects; use the verbs instead");
        }
    }

    /**
     * The token with which a hook reports this session; null: no token was sent.
     *
     * @throws RefusedException when another token owns it
     */
    public @Nullable TeamToken ofHook(@Nullable String authorization, @Nullable String session) {
        Optional<TeamToken> token = token(authorization);
        if (token.isEmpty()) {
            if (session != null) {
                members.ofSession(session).ifPresent(other -> {
                    throw unauthorized("session " + session + " was started with the token " + other);
                });
            }
            return null;
        }
        if (!Permissions.allow(token.get().roles(), "start_session")) {
            throw forbidden(token.get(), "may not have sessions");
        }
        if (session != null && members.hasBegun(session)) {
            checkOwnSession(token.get(), session);
        }
        return token.get();
    }
}
