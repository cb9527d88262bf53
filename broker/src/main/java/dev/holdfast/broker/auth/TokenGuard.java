package dev.holdfast.broker.auth;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Loopback;
import dev.holdfast.broker.token.Token;
import dev.holdfast.broker.token.TokenFile;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.security.SecureRandom;
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
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks whoever knocks for the token of the broker's user, if the configuration wants that; it stands before every door but
 * those that only tell whether the broker is well. Reviewers of the pool are let in by their own tokens, where they have
 * business.
 *
 * <p>The user's token says whose program calls and no more. So it is taken away here, and who of the user's agents calls is
 * found out behind the doors as if there were none.
 */
public final class TokenGuard extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(TokenGuard.class);
    private static final JsonMapper MAPPER = JsonMapper.shared();
    /** As they are written in the request, since that is what they are routed by. */
    private static final Set<String> OPEN = Set.of("/healthz", "/readyz");

    private final Config.Server server;
    private final TokenFile file;
    private final @Nullable Token ofUser;
    private final Predicate<Token> ofReviewer;
    private final AtomicBoolean warned = new AtomicBoolean();

    private TokenGuard(Config.Server server, TokenFile file, @Nullable Token ofUser, Predicate<Token> ofReviewer) {
        this.server = server;
        this.file = file;
        this.ofUser = ofUser;
        this.ofReviewer = ofReviewer;
    }

    /**
     * A guard with the token that the broker's user has for this address.
     *
     * @param ofReviewer whether it is the token of a reviewer of the pool
     * @throws UncheckedIOException when one is needed and can't be kept
     */
    public static TokenGuard at(Config.Server server, InetSocketAddress listening, Predicate<Token> ofReviewer) {
        TokenFile file = TokenFile.of(server.state(), listening);
        Token ofUser = switch (server.loopback()) {
            case OPEN -> former(file);
            case TOKEN -> needed(file);
        };
        return new TokenGuard(server, file, ofUser, ofReviewer);
    }

    /** One that was needed before, and that clients still send, is known also when none is needed any more. */
    private static @Nullable Token former(TokenFile file) {
        try {
            return file.read().orElse(null);
        } catch (IOException e) {
            LOG.debug("{} is ignored", file.path(), e);
            return null;
        }
    }

    private static Token needed(TokenFile file) {
        try {
            Token token = file.readOrMake(new SecureRandom());
            LOG.info("only answers callers with the token in {}", file.path());
            return token;
        } catch (IOException e) {
            String reason = e instanceof AccessDeniedException ? "permission denied" : e.getMessage();
            throw new UncheckedIOException(
                    "the token of the broker's user cannot be kept in " + file.path() + ": " + reason, e);
        }
    }

    /** The broker is gone. Nobody comes back to a port that was picked by chance. */
    public void forget() {
        if (server.port() == 0) {
            file.forget();
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Optional<Token> shown = Token.shown(request.getHeaders().get(HttpHeader.AUTHORIZATION));
        String path = String.valueOf(request.getHttpURI().getPath());
        if (ofUser != null && shown.filter(ofUser::matches).isPresent()) {
            return super.handle(new Unmarked(request), response, callback);
        }
        if (server.loopback() == Loopback.OPEN || OPEN.contains(path)) {
            return super.handle(request, response, callback);
        }
        Optional<Answer> refusal = refusal(shown, path);
        if (refusal.isEmpty()) {
            return super.handle(request, response, callback);
        }
        refuse(response, callback, refusal.get());
        return true;
    }

    /** Why whoever does not show the user's token is not let in; empty: it is a reviewer. */
    private Optional<Answer> refusal(Optional<Token> shown, String path) {
        try {
            if (isForReviewers(path) && shown.filter(ofReviewer).isPresent()) {
                return Optional.empty();
            }
        } catch (StoreException e) {
            return Optional.of(Answer.refused(RefusalCode.BUSY, String.valueOf(e.getMessage())));
        }
        if (shown.isEmpty() && path.startsWith("/hooks/")) {
            warnOfHooks();
        }
        return Optional.of(Answer.refused(
                RefusalCode.UNAUTHORIZED,
                (shown.isPresent() ? "unknown or expired token" : "this broker requires a token")
                        + "; its user's is in " + file.path() + " and is sent as Authorization: Bearer …"));
    }

    private static boolean isForReviewers(String path) {
        return path.endsWith("/mcp") || path.startsWith("/mcp/") || path.startsWith("/api/v1/");
    }

    /** Hosts of agents say nothing about hooks that are refused, and whoever counts on them would notice too late. */
    private void warnOfHooks() {
        if (!warned.getAndSet(true)) {
            LOG.warn("a hook without the token was refused; if it is yours, run 'holdfast hooks install' again");
        }
    }

    private static void refuse(Response response, Callback callback, Answer answer) {
        byte[] body = MAPPER.writeValueAsBytes(answer.body());
        response.setStatus(answer.status());
        if (answer.refusal() == RefusalCode.UNAUTHORIZED) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer realm=\"holdfast\"");
        }
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        response.getHeaders().put(HttpHeader.CONNECTION, "close"); // what else was sent is not read
        response.write(true, ByteBuffer.wrap(body), callback);
    }

    /** A request without the token that it came with. */
    private static final class Unmarked extends Request.Wrapper {
        private final HttpFields headers;

        Unmarked(Request request) {
            super(request);
            headers = HttpFields.build(request.getHeaders())
                    .remove(HttpHeader.AUTHORIZATION)
                    .asImmutable();
        }

        @Override
        public HttpFields getHeaders() {
            return headers;
        }
    }
}
