package dev.holdfast.broker.api;

import dev.holdfast.broker.verb.Answer;
import dev.holdfast.claim.RefusalCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reports in our format what Jetty rejects itself, such as a request that is not HTTP. Announces that the connection
 * closes, which Jetty does silently: otherwise a client would send its next request there and get no answer.
 */
final class PlainErrors extends ErrorHandler {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    @Override
    protected void generateResponse(
            Request request,
            Response response,
            int code,
            @Nullable String message,
            @Nullable Throwable cause,
            Callback callback) {
        byte[] body = body(code, message).getBytes(StandardCharsets.UTF_8);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Replies.JSON);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        response.write(true, ByteBuffer.wrap(body), callback);
    }

    /** Deprecated for removal, but this Jetty version has no replacement yet. */
    @Override
    @SuppressWarnings("removal")
    public ByteBuffer badMessageError(int status, @Nullable String reason, HttpFields.Mutable fields) {
        fields.put(HttpHeader.CONTENT_TYPE, Replies.JSON);
        fields.put(HttpHeader.CONNECTION, "close");
        return ByteBuffer.wrap(body(status, reason).getBytes(StandardCharsets.UTF_8));
    }

    private static String body(int status, @Nullable String reason) {
        RefusalCode code =
                status == 503 ? RefusalCode.BUSY : status >= 500 ? RefusalCode.INTERNAL : RefusalCode.INVALID;
        String text = "the request was refused before it was understood: HTTP " + status
                + (status >= 500 || reason == null ? "" : ", " + reason);
        return MAPPER.writeValueAsString(Answer.refused(code, text).body());
    }
}
