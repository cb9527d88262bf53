package dev.holdfast.broker.auth;

import dev.holdfast.broker.verb.Answer;
import dev.holdfast.claim.RefusalCode;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import tools.jackson.databind.json.JsonMapper;

/** Answers a request that is not admitted: in the usual format, but without reading the rest of the request. */
final class EarlyRefusal {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    private EarlyRefusal() {}

    static void send(Response response, Callback callback, Answer answer) {
        send(response, callback, answer.status(), answer);
    }

    /** @param status used instead of the answer's own */
    static void send(Response response, Callback callback, int status, Answer answer) {
        byte[] body = MAPPER.writeValueAsBytes(answer.body());
        response.setStatus(status);
        HttpFields.Mutable headers = response.getHeaders();
        if (answer.refusal() == RefusalCode.UNAUTHORIZED) {
            headers.put(HttpHeader.WWW_AUTHENTICATE, "Bearer realm=\"holdfast\"");
        }
        if (answer.refusal() == RefusalCode.BUSY) {
            Object seconds = answer.body().get("retry_after_seconds");
            headers.put(HttpHeader.RETRY_AFTER, seconds instanceof Number number ? number.longValue() : 1L);
        }
        headers.put(HttpHeader.CONTENT_TYPE, "application/json");
        headers.put(HttpHeader.CONTENT_LENGTH, body.length);
        // otherwise the unread body would have to be read; a refused caller has no need of the connection
        headers.put(HttpHeader.CONNECTION, "close");
        response.write(true, ByteBuffer.wrap(body), callback);
    }
}
