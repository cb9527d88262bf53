package dev.holdfast.broker.auth;

import dev.holdfast.broker.config.CidrBlock;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.metrics.Meters.Limited;
import dev.holdfast.broker.verb.Refusals;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import java.util.Map;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Limits each caller to its share, identified by token or else by its address, even if it is not admitted. Excess calls
 * are refused at once as busy, with the time to retry. Callers on this machine without a token are not limited: they all share one address.
 */
public final class CallerLimits extends Handler.Wrapper {
    private final Config.Server server;
    private final RateLimits allowances;
    private final MemoryShares memory = MemoryShares.ofThisProcess();
    private final Meters meters;

    public CallerLimits(Config config, Meters meters) {
        server = config.server();
        allowances =
                new RateLimits(config.limits().callsPerSecond(), config.limits().concurrentCalls(), System::nanoTime);
        this.meters = meters;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Client client = Client.of(request, server.trustedProxies());
        Object token = request.getAttribute(TokenGuard.NAME);
        if (token == null && client.local()) {
            return handle(request, null, response, callback);
        }
        return answer(token == null ? address(client) : "token " + token, response, callback, caller -> {
            Request.addCompletionListener(request, _ -> allowances.done(caller));
            return handle(request, caller, response, callback);
        });
    }

    private boolean handle(Request request, @Nullable String caller, Response response, Callback callback)
            throws Exception {
        MemoryShares.Share share = memory.share(caller);
        request.setAttribute(MemoryShares.SHARE, share);
        Request.addCompletionListener(request, _ -> share.close());
        return super.handle(request, response, callback);
    }

    /** Whether a caller that is not admitted has had its share of answers, and was told so. */
    boolean refused(Client client, Response response, Callback callback) throws Exception {
        return !client.local()
                && answer(address(client), response, callback, caller -> {
                    allowances.done(caller);
                    return false;
                });
    }

    private static String address(Client client) {
        return "address " + CidrBlock.machine(client.address()).getHostAddress();
    }

    private interface Within {
        boolean answer(String caller) throws Exception;
    }

    private boolean answer(String caller, Response response, Callback callback, Within within) throws Exception {
        switch (allowances.ask(caller)) {
            case RateLimits.Answer.Yes() -> {
                return within.answer(caller);
            }
            case RateLimits.Answer.TooOften(var after) -> {
                meters.limited(Limited.RATE);
                refuse(
                        response,
                        callback,
                        "more than limits.calls_per_second came from " + caller + "; try again in a moment",
                        Math.max(1, (after.toMillis() + 999) / 1_000));
            }
            case RateLimits.Answer.TooMany(int running) -> {
                meters.limited(Limited.CONCURRENCY);
                refuse(
                        response,
                        callback,
                        running + " calls of " + caller
                                + " are running or waiting, which is the limit (limits.concurrent_calls); wait for one"
                                + " to finish",
                        1);
            }
        }
        return true;
    }

    private static void refuse(Response response, Callback callback, String text, long seconds) {
        EarlyRefusal.send(
                response,
                callback,
                Refusals.of(new RefusedException(
                                RefusalCode.BUSY, text, Map.of("retry_after_seconds", (double) seconds)))
                        .orElseThrow());
    }
}
