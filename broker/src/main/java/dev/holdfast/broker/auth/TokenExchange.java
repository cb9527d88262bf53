package dev.holdfast.broker.auth;

import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.metrics.Meters.Stranger;
import dev.holdfast.broker.token.Token;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.token.TeamToken;
import dev.holdfast.token.TokenStatus;
import dev.holdfast.token.Tokens;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Signs a browser in, for one caller.
 *
 * <p>A link of the broker's own user signs in at once: nobody else can make one. Anybody with a team token can make a
 * link and send it to others, who would then act under the sender's name without noticing. So such a link shows whose it
 * is first, unless the browser is signed in with the same token anyway.
 *
 * @param shown the token that the request was sent with
 * @param ofUser the token of the broker's user; null: it has none
 */
record TokenExchange(
        Client client,
        Optional<Token> shown,
        @Nullable Token ofUser,
        Tokens tokens,
        WrongTokenBackoff slowdown,
        Meters meters)
        implements SignIn.Exchange {
    private static final String UNKNOWN = "That token is unknown, expired or revoked.";
    private static final String USED =
            "That link was used already or is more than five minutes old. Run holdfast open again.";

    @Override
    public SignIn.Entered enter(Token token) {
        Duration left = left(token);
        if (left.isPositive()) {
            meters.refused(Stranger.SLOWED);
            return new SignIn.Entered.Out(
                    "Too many wrong tokens came from your address. Try again in " + seconds(left) + " s.");
        }
        return isOfUser(token.hash()) || ofTeam(token) instanceof TokenStatus.Good
                ? new SignIn.Entered.In(tokens.sessions().open(token.hash()))
                : wrong(UNKNOWN);
    }

    @Override
    public SignIn.Entered follow(String link, @Nullable String kept, boolean sure) {
        Optional<String> tokenHash = tokens.sessions().linked(link);
        if (tokenHash.isEmpty()) {
            return wrong(USED);
        }
        if (!isOfUser(tokenHash.get())) {
            if (!(tokens.ofHash(tokenHash.get()) instanceof TokenStatus.Good(TeamToken token))) {
                return wrong(UNKNOWN);
            }
            if (!sure && !isSignedIn(kept, tokenHash.get())) {
                return new SignIn.Entered.Unsure(token);
            }
        }
        return tokens.sessions()
                .follow(link)
                .<SignIn.Entered>map(SignIn.Entered.In::new)
                .orElseGet(() -> wrong(USED));
    }

    private boolean isSignedIn(@Nullable String kept, String tokenHash) {
        return kept != null
                && tokens.sessions().tokenHash(kept).filter(tokenHash::equals).isPresent();
    }

    @Override
    public String link() {
        Token token = shown.filter(one -> isOfUser(one.hash()) || ofTeam(one) instanceof TokenStatus.Good)
                .orElseThrow(() -> new RefusedException(
                        RefusalCode.UNAUTHORIZED, "a link is made for a token; send it as Authorization: Bearer …"));
        return tokens.sessions().link(token.hash());
    }

    private boolean isOfUser(String tokenHash) {
        return client.local() && ofUser != null && ofUser.hash().equals(tokenHash);
    }

    private TokenStatus ofTeam(Token token) {
        return token.isOfTeam() ? tokens.shown(token.text()) : new TokenStatus.Unknown();
    }

    private SignIn.Entered wrong(String problem) {
        note();
        meters.refused(Stranger.UNKNOWN);
        return new SignIn.Entered.Out(problem);
    }

    /** All programs on this machine share one address; none should wait because of another's failures. */
    void note() {
        if (!client.local()) {
            slowdown.failed(client.address());
        }
    }

    /** How long this caller's tokens are still rejected unchecked. */
    Duration left(Token token) {
        return client.local() || tokens.remembers(token.text()) ? Duration.ZERO : slowdown.left(client.address());
    }

    /** Rounded up, so that a caller that waits this long is not too early. */
    static long seconds(Duration left) {
        return (left.toMillis() + 999) / 1_000;
    }
}
