package dev.holdfast.broker.auth;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.LoopbackAccess;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.metrics.Meters.Stranger;
import dev.holdfast.broker.token.Token;
import dev.holdfast.broker.token.TokenFile;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Refusals;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.StoreException;
import dev.holdfast.token.TeamToken;
import dev.holdfast.token.TokenStatus;
import dev.holdfast.token.Tokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.AccessDeniedException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requires a token for all endpoints except health checks and signing in. Callers on this machine need none unless
 * configured otherwise. There are three kinds:
 *
 * <ul>
 *   <li>The token of the broker's user only proves whose program calls, and is valid on this machine only. So it is
 *       removed here, and which of the user's agents calls is determined later as if there were no token.
 *   <li>Pool reviewers' own tokens give access to the endpoints that reviewers need, on this machine only.
 *   <li>A team token gives access to every endpoint; {@link TeamCalls} decides what it allows there.
 * </ul>
 */
public final class TokenGuard extends Handler.Wrapper {
    /** Request attribute: the name of the team token. */
    public static final String NAME = "dev.holdfast.token.name";

    /** Request attribute: the roles of the team token. */
    public static final String ROLES = "dev.holdfast.token.roles";

    /** Request attribute, present if a program on this machine sent the request without a proxy. */
    public static final String LOCAL = "dev.holdfast.client.local";

    private static final Logger LOG = LoggerFactory.getLogger(TokenGuard.class);
    private static final String NO_TOKEN = "this is a browser session, valid for pages only; send a token";
    /** As written in the request, since routing uses that form. */
    private static final Set<String> OPEN = Set.of("/healthz", "/readyz", SignIn.PATH, SignIn.LEAVE);

    private final Config.Server server;
    private final TokenFile file;
    private final @Nullable Token ofUser;
    private final Predicate<Token> ofReviewer;
    private final Tokens tokens;
    private final Meters meters;
    private final CallerLimits limits;
    private final WrongTokenBackoff slowdown = new WrongTokenBackoff(System::nanoTime);
    private final AtomicBoolean warned = new AtomicBoolean();

    private TokenGuard(
            Config.Server server,
            TokenFile file,
            @Nullable Token ofUser,
            Predicate<Token> ofReviewer,
            Tokens tokens,
            Meters meters,
            CallerLimits limits) {
        super(limits);
        this.server = server;
        this.file = file;
        this.ofUser = ofUser;
        this.ofReviewer = ofReviewer;
        this.tokens = tokens;
        this.meters = meters;
        this.limits = limits;
    }

    /**
     * Creates a guard with the token that the broker's user has for this address.
     *
     * @param ofReviewer whether this is a pool reviewer's token
     * @param limits for those that are admitted, and those that are not
     * @throws UncheckedIOException when a token is required and cannot be stored
     */
    public static TokenGuard at(
            Config.Server server,
            InetSocketAddress listening,
            Predicate<Token> ofReviewer,
            Tokens tokens,
            Meters meters,
            CallerLimits limits) {
        TokenFile file = TokenFile.of(server.state(), listening);
        Token ofUser = switch (server.loopback()) {
            case OPEN -> former(file);
            case TOKEN -> needed(file, listening.getAddress());
        };
        return new TokenGuard(server, file, ofUser, ofReviewer, tokens, meters, limits);
    }

    /** A token that used to be required and that clients may still send: it stays valid even when none is required. */
    private static @Nullable Token former(TokenFile file) {
        try {
            return file.read().orElse(null);
        } catch (IOException e) {
            LOG.debug("{} is ignored", file.path(), e);
            return null;
        }
    }

    private static Token needed(TokenFile file, InetAddress listening) {
        try {
            Token token = file.readOrCreate(new SecureRandom());
            if (listening.isLoopbackAddress()) {
                LOG.info("only answers callers with the token in {}", file.path());
            } else if (listening.isAnyLocalAddress()) {
                LOG.info(
                        "only answers callers with a team token, and at 127.0.0.1 those with the token in {}",
                        file.path());
            } else { // nobody can reach it through loopback
                LOG.info("only answers callers with a team token");
            }
            return token;
        } catch (IOException e) {
            String reason = e instanceof AccessDeniedException ? "permission denied" : e.getMessage();
            throw new UncheckedIOException(
                    "the token of the broker's user cannot be kept in " + file.path() + ": " + reason, e);
        }
    }

    /** Call this when the broker has stopped. A port picked at random will not be used again. */
    public void forget() {
        if (server.port() == 0) {
            file.forget();
        }
    }

    /** Whether a request is admitted, in this form, or refused. */
    private sealed interface Verdict {
        record In(Request request) implements Verdict {}

        record Out(Stranger why, Answer answer) implements Verdict {}
    }

    @Override
    public boolean handle(Request received, Response response, Callback callback) throws Exception {
        Request request = NormalizedPath.of(received);
        Client client = Client.of(request, server.trustedProxies());
        String path = String.valueOf(request.getHttpURI().getPath());
        if (client.local()) {
            request.setAttribute(LOCAL, true);
        }
        return switch (verdict(request, client, path)) {
            case Verdict.In(Request let) -> super.handle(let, response, callback);
            case Verdict.Out(Stranger why, Answer answer) -> {
                meters.refused(why);
                if (limits.refused(client, response, callback)) {
                    yield true;
                }
                if (SignIn.wantsPage(request, path)) {
                    if (answer.refusal() == RefusalCode.BUSY) {
                        request.setAttribute(SignIn.TROUBLE, answer);
                    }
                    yield super.handle(SignIn.instead(request, why != Stranger.MISSING), response, callback);
                }
                EarlyRefusal.send(response, callback, answer);
                yield true;
            }
        };
    }

    private Verdict verdict(Request request, Client client, String path) {
        String header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        Optional<Token> shown = Token.shown(header);
        TokenExchange exchange = new TokenExchange(client, shown, ofUser, tokens, slowdown, meters);
        if (path.startsWith(SignIn.PATH)) {
            request.setAttribute(SignIn.EXCHANGE, exchange);
        }
        if (shown.filter(token -> SignIn.isSession(token.text())).isPresent()) {
            return out(Stranger.UNKNOWN, NO_TOKEN);
        }
        if (client.local() && ofUser != null && shown.filter(ofUser::matches).isPresent()) {
            return new Verdict.In(new Marked(request, null));
        }
        if (OPEN.contains(path) || SignIn.needs(path)) {
            return new Verdict.In(request);
        }
        Duration left = shown.map(exchange::left).orElse(Duration.ZERO);
        if (left.isPositive()) {
            return new Verdict.Out(Stranger.SLOWED, slowed(left));
        }
        Optional<String> session = header == null ? SignIn.shown(request, path) : Optional.empty();
        try {
            if (session.isPresent()) {
                return ofBrowser(request, client, path, session.get());
            }
            if (shown.filter(Token::isOfTeam).isPresent()) {
                Verdict verdict = of(tokens.shown(shown.get().text()), request, path, shown.get());
                if (verdict instanceof Verdict.Out out && out.why() != Stranger.CONFINED) {
                    exchange.note();
                }
                return verdict;
            }
            if (mayEnter(client, shown, path)) {
                return new Verdict.In(request);
            }
        } catch (StoreException e) {
            return new Verdict.Out(
                    Stranger.UNCHECKED, Answer.refused(RefusalCode.BUSY, String.valueOf(e.getMessage())));
        }
        if (shown.isPresent()) {
            exchange.note();
        } else if (path.startsWith("/hooks/")) {
            warnOfHooks();
        }
        return new Verdict.Out(
                shown.isPresent() ? Stranger.UNKNOWN : Stranger.MISSING,
                Answer.refused(RefusalCode.UNAUTHORIZED, required(client, shown.isPresent())));
    }

    /**
     * Pool reviewers run on this machine, so their tokens are valid nowhere else. They do not count as local if a trusted
     * proxy has the same address.
     */
    private boolean mayEnter(Client client, Optional<Token> shown, String path) {
        return (client.local() && server.loopback() == LoopbackAccess.OPEN)
                || (client.here()
                        && isForReviewers(path)
                        && shown.filter(ofReviewer).isPresent());
    }

    private String required(Client client, boolean shown) {
        String what = shown ? "unknown or expired token" : "this broker requires a token";
        return client.local()
                ? what + "; its user's is in " + file.path() + " and is sent as Authorization: Bearer …"
                : what + ", sent as Authorization: Bearer …; an admin creates one with 'holdfast token create'";
    }

    /** A request from a signed-in browser; later steps look up its token again. */
    private Verdict ofBrowser(Request request, Client client, String path, String session) {
        boolean ofTheUser = ofUser != null
                && tokens.sessions()
                        .tokenHash(session)
                        .filter(ofUser.hash()::equals)
                        .isPresent();
        if (ofTheUser && client.local()) {
            return new Verdict.In(new Marked(request, null));
        }
        TokenStatus status = tokens.signedIn(session);
        if (!(status instanceof TokenStatus.Good) && client.local() && server.loopback() == LoopbackAccess.OPEN) {
            return new Verdict.In(request); // treated like a request without a session, which is admitted
        }
        return status instanceof TokenStatus.Unknown
                ? out(Stranger.UNKNOWN, "you are no longer signed in")
                : of(status, request, path, new Token(session));
    }

    private static Verdict of(TokenStatus status, Request request, String path, Token shown) {
        return switch (status) {
            case TokenStatus.Good(TeamToken token) -> good(request, path, shown, token);
            case TokenStatus.Expired(TeamToken token) -> out(Stranger.EXPIRED, TeamCalls.expired(token));
            case TokenStatus.Revoked(TeamToken token) -> out(Stranger.REVOKED, TeamCalls.revoked(token));
            case TokenStatus.Unknown() -> out(Stranger.UNKNOWN, TeamCalls.UNKNOWN);
        };
    }

    private static Verdict out(Stranger why, String text) {
        return new Verdict.Out(why, Answer.refused(RefusalCode.UNAUTHORIZED, text));
    }

    private static Verdict good(Request request, String path, Token shown, TeamToken token) {
        if (!asksByVerbs(path)) {
            try {
                TeamCalls.checkUnconfined(token);
            } catch (RefusedException refused) {
                request.setAttribute(SignIn.CONFINED, token);
                return new Verdict.Out(Stranger.CONFINED, Refusals.of(refused).orElseThrow());
            }
        }
        request.setAttribute(NAME, token.name());
        request.setAttribute(ROLES, token.roles());
        return new Verdict.In(new Marked(request, shown));
    }

    /** Whether this endpoint checks each call itself. */
    private static boolean asksByVerbs(String path) {
        return path.startsWith("/hooks/") || (isForReviewers(path) && !path.equals("/api/v1/events"));
    }

    private static Answer slowed(Duration left) {
        long seconds = TokenExchange.seconds(left);
        return Refusals.of(new RefusedException(
                        RefusalCode.BUSY,
                        "too many wrong tokens came from your address; try again in " + seconds + " s",
                        Map.of("retry_after_seconds", (double) seconds)))
                .orElseThrow();
    }

    private static boolean isForReviewers(String path) {
        return SignIn.isOfMcp(path) || path.startsWith("/api/v1/");
    }

    /** Agent hosts do not report refused hooks, and users who rely on them would notice too late. */
    private void warnOfHooks() {
        if (!warned.getAndSet(true)) {
            LOG.warn("a hook without the token was refused; if it is yours, run 'holdfast hooks install' again");
        }
    }

    /** A request whose token, wherever it was sent, is replaced by this one; null: by none. */
    private static final class Marked extends Request.Wrapper {
        private final HttpFields headers;

        Marked(Request request, @Nullable Token token) {
            super(request);
            HttpFields.Mutable marked = HttpFields.build(request.getHeaders()).remove(HttpHeader.AUTHORIZATION);
            if (token != null) {
                marked.put(HttpHeader.AUTHORIZATION, "Bearer " + token.text());
            }
            headers = marked.asImmutable();
        }

        @Override
        public HttpFields getHeaders() {
            return headers;
        }
    }
}
