package dev.holdfast.broker.hook;

import dev.holdfast.agent.HostedSessions;
import dev.holdfast.agent.RunningToolCalls;
import dev.holdfast.broker.api.ApiServer;
import dev.holdfast.broker.api.Origins;
import dev.holdfast.broker.api.Replies;
import dev.holdfast.broker.config.JsonProblem;
import dev.holdfast.broker.metrics.Meters;
import dev.holdfast.broker.metrics.Meters.Endpoint;
import dev.holdfast.broker.process.Processes;
import dev.holdfast.broker.process.SessionProof;
import dev.holdfast.broker.repository.KnownRepositories;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Origin;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import dev.holdfast.store.Share;
import dev.holdfast.token.TeamToken;
import dev.holdfast.work.Reservations;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/**
 * {@code /hooks/claude} and {@code /hooks/codex}: take a host's hook JSON and answer with its hook JSON. Whatever goes
 * wrong here, the answer lets the host continue: a hook must never stop or break a tool. Problems with the input are
 * shown to the user.
 */
public record HookEndpoints(
        Hooks hooks,
        HostedSessions sessions,
        RunningToolCalls calls,
        Processes processes,
        Origins origins,
        Meters meters,
        int bodyBytes,
        Owners owners)
        implements ApiServer.Endpoints {
    private static final Logger LOG = LoggerFactory.getLogger(HookEndpoints.class);

    /** Knows which token owns a session. */
    public interface Owners {
        /**
         * The token that was sent, for which this session (null: none yet) starts; null: no token was sent.
         *
         * @throws dev.holdfast.claim.RefusedException when another token owns the session
         */
        @Nullable
        TeamToken owner(@Nullable String authorization, @Nullable String session);
    }

    /** @param bodyBytes how much of a hook's input is read */
    public static HookEndpoints over(
            Claims claims,
            HostedSessions sessions,
            RunningToolCalls calls,
            Processes processes,
            Origins origins,
            KnownRepositories repositories,
            Reservations reservations,
            Meters meters,
            int bodyBytes,
            Owners owners) {
        Hooks hooks = new Hooks(
                claims,
                sessions,
                calls,
                processes,
                new SessionProof(processes, sessions),
                repositories,
                new PathGuard(reservations, repositories));
        return new HookEndpoints(hooks, sessions, calls, processes, origins, meters, bodyBytes, owners);
    }

    /** Keeps alive the claims of agents whose tool is still running; ends sessions whose process is gone. */
    public void turn() {
        processes.endThoseWithout(sessions);
        calls.turn();
    }

    @Override
    public void register(RoutesConfig routes) {
        for (Host host : Host.values()) {
            routes.post("/hooks/" + host, request -> timed(host, request));
        }
    }

    private void timed(Host host, Context request) {
        long start = System.nanoTime();
        try {
            Replies.send(request, 200, Share.CALLS.turn().call(() -> answer(host, request)));
        } finally {
            meters.answered(Endpoint.HOOKS, System.nanoTime() - start);
        }
    }

    private Answer answer(Host host, Context request) {
        String type = request.req().getContentType();
        if (type == null || !type.startsWith(Replies.JSON)) {
            return Answer.of(Map.of()); // not from a host: hosts always declare JSON, which a web page's form cannot
        }
        try {
            HookInput input = HookInput.read(request.req().getInputStream(), bodyBytes);
            Origin origin = origins.of(request);
            TeamToken owner = owners.owner(origin.authorization(), input.session());
            String subagent = input.subagent();
            if (subagent != null) {
                owners.owner(origin.authorization(), subagent); // its id may also be that of another's session
            }
            return hooks.answer(new HookCall(
                    host,
                    input,
                    origin.local() ? number(request.header("Holdfast-Pid")) : null,
                    origin.local() ? request.header("Holdfast-Host") : elsewhere(request.header("Holdfast-Host")),
                    "paths".equals(request.queryParam("guard")),
                    origin,
                    owner));
        } catch (JacksonException e) {
            return unreadable(host, "it is not valid JSON" + JsonProblem.place(e) + ": " + JsonProblem.of(e));
        } catch (InvalidException e) {
            return unreadable(host, String.valueOf(e.getMessage()));
        } catch (IOException | RuntimeException e) {
            LOG.warn("a hook of {} could not be served: {}", host, e.toString());
            return Answer.of(Map.of());
        }
    }

    /** Shows the user a message; stops nothing. */
    private static Answer unreadable(Host host, String why) {
        String said = Text.printable(why);
        LOG.info("a hook of {} could not be read: {}", host, said);
        return Answer.of(Map.of("systemMessage", "Holdfast ignored a hook call of " + host + ": " + said));
    }

    /** A caller on another machine is never on this one, whatever it claims. */
    private String elsewhere(@Nullable String said) {
        return said == null || said.equals(processes.here().name()) ? "elsewhere" : said;
    }

    private static @Nullable Long number(@Nullable String text) {
        return text == null || !text.matches("[0-9]{1,10}") ? null : Long.valueOf(text);
    }
}
