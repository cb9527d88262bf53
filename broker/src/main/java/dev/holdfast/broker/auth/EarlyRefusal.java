package dev.holdfast.broker.auth;

import dev.holdfast.broker.verb.Answer;
import dev.holdfast.claim.RefusalCode;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import tools.jackson.databind.json.JsonMapper;

/** The answer to a request that is not let in: as the doors would give it, but before anything else of the request is read. */
final class EarlyRefusal {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    private EarlyRefusal() {}

    static void send(Response response, Callback callback, Answer answer) {
        send(response, callback, answer.status(), answer);
    }

    /** @param status in the place of the answer's own */
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
        // whoever knocks at the wrong door need not keep it open; an unread body would otherwise have to be read
        headers.put(HttpHeader.CONNECTION, "close");
        response.write(true, ByteBuffer.wrap(body), callback);
    }
}
