package dev.holdfast.broker.api;

import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Refusals;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.RefusalCode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.util.BodyAlreadyReadException;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.eclipse.jetty.io.EofException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests that match nothing or fail: with our JSON, or with a page for browsers; never with a stack trace.
 */
public record ErrorResponses(List<Verb> verbs, List<ApiServer.Endpoints> endpoints) {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorResponses.class);

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final int UNSUPPORTED = 415;

    void register(RoutesConfig routes) {
        routes.exception(EarlyAnswerException.class, (e, request) -> Replies.send(request, e.status(), e.answer()));
        routes.exception(HttpResponseException.class, this::refuse);
        routes.exception(EofException.class, (_, _) -> {}); // the caller is gone; there is nobody to answer
        routes.exception(BodyAlreadyReadException.class, (_, request) -> refuseType(request, "send a form as " + FORM));
        for (Class<? extends IllegalArgumentException> unknown :
                List.of(UnsupportedCharsetException.class, IllegalCharsetNameException.class)) {
            routes.exception(unknown, (_, request) -> refuseType(request, "send text as UTF-8"));
        }
        routes.exception(Exception.class, this::broken);
    }

    private static void refuseType(Context request, String instead) {
        Replies.send(
                request,
                UNSUPPORTED,
                Answer.refused(RefusalCode.INVALID, "cannot read a body of this Content-Type; " + instead));
    }

    /** Handles what the router itself rejects: an unknown path, or a method that the path does not have. */
    private void refuse(HttpResponseException e, Context request) {
        String what = request.method() + " " + request.path();
        switch (e.getStatus()) {
            case 404 -> {
                if (endpoints.stream().noneMatch(endpoint -> endpoint.showsMissing(request))) {
                    Replies.send(request, Answer.refused(RefusalCode.NOT_FOUND, "there is no " + what + hint(request)));
                }
            }
            case 405 -> {
                String allowed = isVerb(request.path()) ? "POST" : "GET, HEAD";
                request.header("Allow", allowed);
                Replies.send(request, 405, Answer.refused(RefusalCode.INVALID, what + ": use " + allowed));
            }
            default ->
                Replies.send(
                        request, e.getStatus(), Answer.refused(RefusalCode.INVALID, String.valueOf(e.getMessage())));
        }
    }

    private boolean isVerb(String path) {
        return verbs.stream().anyMatch(verb -> path.equals(ApiServer.API + verb.name()));
    }

    private String hint(Context request) {
        return request.path().startsWith(ApiServer.API)
                ? "; the verbs are " + verbs.stream().map(Verb::name).collect(Collectors.joining(", "))
                : "; the verbs are at POST " + ApiServer.API + "<verb>, described at " + ApiServer.API + "openapi.json";
    }

    private void broken(Exception e, Context request) {
        Answer answer = Refusals.of(e).orElseGet(() -> broken(request.method() + " " + request.path(), e));
        if (!request.res().isCommitted()
                && endpoints.stream().noneMatch(endpoint -> endpoint.showsTrouble(request, answer))) {
            Replies.send(request, answer);
        }
    }

    /** Logs an unexpected failure, and gives the caller the id to look for in the log. */
    public static Answer broken(String what, Exception e) {
        String id = UUID.randomUUID().toString().substring(0, 8);
        LOG.error("{} failed, error {}", what, id, e);
        String text = "internal error; see the broker's log for " + id;
        return Answer.failed(text, id);
    }
}
