package dev.holdfast.broker.verb.tokens;

import dev.holdfast.broker.verb.Call;
import dev.holdfast.broker.verb.Definition;
import dev.holdfast.broker.verb.Field;
import dev.holdfast.broker.verb.Inline;
import dev.holdfast.broker.verb.PeopleOnly;
import dev.holdfast.broker.verb.Shapes;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.broker.verb.VerbEffect;
import dev.holdfast.token.NewToken;
import dev.holdfast.token.Role;
import dev.holdfast.token.TeamToken;
import dev.holdfast.token.Tokens;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Managing tokens: {@code create_token list_tokens revoke_token rotate_token}. */
public record TokenVerbs(Shapes shapes, Tokens tokens, boolean reachable) {
    static final long TEN_YEARS = 315_360_000;
    static final String NAMED = "the token's name or id";

    @Definition(name = "create_token", effect = VerbEffect.TAKE, forPeople = true, description = """
                    Create a token that lets someone call this broker from another machine. The token is returned once and stored \
                    nowhere. Example: {"name": "ann", "roles": ["proposer", "worker"], "projects": ["shop"], \
                    "expires_seconds": 7776000}""")
    record CreateToken(
            @Field(
                    value = "who will use it; callers act under this name or one below it, such as ann/build",
                    longest = 60,
                    example = "ann")
            String name,

            @Field(
                    value = "what it is for: proposer, reviewer, worker, processor, viewer, admin",
                    must = true,
                    example = "[\"worker\"]",
                    longest = 20)
            List<String> roles,

            @Field(value = "only for these projects; default: all", longest = 150)
            List<String> projects,

            @Field(value = "seconds until it expires; default: never", min = 1, max = TEN_YEARS) @Nullable
            Long expiresSeconds) {}

    record MadeToken(
            @Field(value = "the token itself; it is not shown again", longest = 100)
            String token,

            @Inline TokenView made) {}

    @Definition(name = "list_tokens", effect = VerbEffect.READ, forPeople = true, description = """
                    List tokens by name, without their secrets. Example: {}, or {"all": true} to include expired and revoked ones""")
    record ListTokens(
            @Field("include revoked and expired ones") boolean all) {}

    record TokenList(@Field("the tokens") List<TokenView> tokens) {}

    record TokenView(
            @Field(value = "not secret: the token starts with hf_ and this", longest = 8)
            String id,

            @Field(value = "who uses it", longest = 60) String name,

            @Field(value = "what it is for", longest = 20) List<String> roles,

            @Field(value = "the projects it is limited to; none: all", longest = 150)
            List<String> projects,

            @Field("active, expired or revoked") String state,
            @Field("when it was made") Instant createdAt,
            @Field("by whom") @Nullable String createdBy,
            @Field("when it ends") @Nullable Instant expiresAt,

            @Field("when it was last used, to the minute") @Nullable
            Instant lastUsedAt,

            @Field("when it was revoked") @Nullable Instant revokedAt) {
        static TokenView of(TeamToken token, Instant now) {
            return new TokenView(
                    token.id(),
                    token.name(),
                    token.roles().stream().sorted().map(Role::toString).toList(),
                    token.projects(),
                    token.revoked() ? "revoked" : token.expired(now) ? "expired" : "active",
                    token.createdAt(),
                    token.createdBy(),
                    token.expiresAt(),
                    token.lastUsedAt(),
                    token.revokedAt());
        }
    }

    @Definition(name = "revoke_token", effect = VerbEffect.END, forPeople = true, description = """
                    Revoke a token: calls with it are refused from now on. Example: {"token": "ann"}""")
    record RevokeToken(
            @Field(value = NAMED, longest = 60, filled = true)
            String token) {}

    record RevokedToken(
            @Inline TokenView revoked,

            @Field("what is no longer possible without another token") @Nullable
            String warning) {}

    @Definition(name = "rotate_token", effect = VerbEffect.TAKE, forPeople = true, description = """
                    Give a token a new secret; its name, roles and projects stay. The former secret ends at once, or after \
                    grace_seconds. Example: {"token": "ann", "grace_seconds": 3600}""")
    record RotateToken(
            @Field(value = NAMED, longest = 60, filled = true)
            String token,

            @Field(value = "how long the former secret stays valid", max = 604_800) @Nullable
            Long graceSeconds,

            @Field(value = "seconds until it expires; default: as before", min = 1, max = TEN_YEARS) @Nullable
            Long expiresSeconds) {}

    public List<Verb> verbs() {
        return List.of(
                Verb.of(shapes, CreateToken.class, MadeToken.class, this::create),
                Verb.of(shapes, ListTokens.class, TokenList.class, this::list),
                Verb.of(shapes, RevokeToken.class, RevokedToken.class, this::revoke),
                Verb.of(shapes, RotateToken.class, MadeToken.class, this::rotate));
    }

    /** For people only: an agent that could create tokens could act as anybody. */
    private static @Nullable String person(Call call) {
        return PeopleOnly.by(call, "tokens are");
    }

    private MadeToken create(CreateToken given, Call call) {
        return made(tokens.create(new NewToken(
                given.name(),
                given.roles().stream().map(Role::of).collect(Collectors.toSet()),
                given.projects(),
                end(given.expiresSeconds()),
                person(call))));
    }

    private TokenList list(ListTokens given) {
        Instant now = tokens.now();
        return new TokenList(tokens.list().stream()
                .filter(token -> given.all() || !(token.revoked() || token.expired(now)))
                .map(token -> TokenView.of(token, now))
                .toList());
    }

    private RevokedToken revoke(RevokeToken given, Call call) {
        TeamToken revoked = tokens.revoke(given.token(), person(call));
        return new RevokedToken(TokenView.of(revoked, tokens.now()), warning(revoked));
    }

    /** What the end of the last token, or of the last admin's, means to a broker that other machines reach. */
    private @Nullable String warning(TeamToken revoked) {
        List<TeamToken> left = tokens.live();
        if (!reachable
                || !revoked.roles().contains(Role.ADMIN)
                || left.stream().anyMatch(token -> token.roles().contains(Role.ADMIN))) {
            return null;
        }
        return (left.isEmpty()
                        ? "no token is left, and without one this broker will not start again where other machines reach it"
                        : "no admin's token is left")
                + "; create one on the broker's machine: holdfast token create NAME --role admin";
    }

    private MadeToken rotate(RotateToken given, Call call) {
        return made(tokens.rotate(
                given.token(),
                Duration.ofSeconds(Optional.ofNullable(given.graceSeconds()).orElse(0L)),
                end(given.expiresSeconds()),
                person(call)));
    }

    private MadeToken made(Tokens.Made made) {
        return new MadeToken(made.text(), TokenView.of(made.token(), tokens.now()));
    }

    private @Nullable Instant end(@Nullable Long seconds) {
        return seconds == null ? null : tokens.now().plusSeconds(seconds);
    }
}
