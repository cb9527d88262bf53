package dev.holdfast.cli.http;

import dev.holdfast.cli.http.HttpFailure.Kind;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sends requests to one broker, each on its own connection. */
public final class HttpClient {
    private static final Duration FIRST_WORD_PATIENCE = Duration.ofSeconds(20);

    private final Address address;
    private final TokenSource tokens;
    private final Map<String, String> standing;
    private final TlsTrust trust;

    /** Without any token. */
    public HttpClient(Address address) {
        this(address, _ -> null, Map.of());
    }

    public HttpClient(Address address, TokenSource tokens, Map<String, String> standing) {
        this(address, tokens, standing, TlsTrust.USUAL);
    }

    /**
     * @param tokens asked before every request for the token to send
     * @param standing headers sent with every request
     * @param trust how to verify the broker
     */
    public HttpClient(Address address, TokenSource tokens, Map<String, String> standing, TlsTrust trust) {
        this.address = address;
        this.tokens = tokens;
        this.standing = Map.copyOf(standing);
        this.trust = trust;
    }

    /** The same broker, called without a token or identity. */
    public HttpClient anonymous() {
        return new HttpClient(address, _ -> null, Map.of(), trust);
    }

    public Address address() {
        return address;
    }

    public HttpAnswer get(String path, Duration patience) throws HttpFailure {
        return exchange("GET", path, Map.of("Accept", "application/json"), null, patience);
    }

    public HttpAnswer post(String path, byte[] json, Duration patience) throws HttpFailure {
        return exchange("POST", path, Map.of("Accept", "application/json"), json, patience);
    }

    /**
     * Sends JSON with further headers. Interrupting the thread, if it is a virtual one, closes the connection.
     *
     * @param headers in addition to those of every request
     */
    public HttpAnswer post(String path, Map<String, String> headers, byte[] json, Duration patience)
            throws HttpFailure {
        return exchange("POST", path, headers, json, patience);
    }

    /**
     * Opens a stream of events. It fails, and must be reopened, when nothing arrives for as long as {@code silence}.
     */
    public EventStream events(String path, @Nullable String lastEventId, Duration silence) throws HttpFailure {
        Map<String, String> headers = lastEventId == null
                ? Map.of("Accept", "text/event-stream")
                : Map.of("Accept", "text/event-stream", "Last-Event-ID", lastEventId);
        Connection connection = Connection.to(address, trust);
        try {
            connection.allow(FIRST_WORD_PATIENCE);
            connection.send(request("GET", path, headers, null, tokens.tokenFor(connection.peer())));
            InputStream in = new BufferedInputStream(connection);
            ResponseHead head = ResponseHead.read(in);
            InputStream body = body(head, in);
            if (head.status() != 200) {
                byte[] text = body.readAllBytes();
                connection.close();
                return new EventStream(new HttpAnswer(head.status(), head.headers(), text));
            }
            return new EventStream(new HttpAnswer(200, head.headers(), new byte[0]), connection, body, silence);
        } catch (IOException e) {
            connection.close();
            throw noAnswer(e);
        }
    }

    private HttpAnswer exchange(
            String method, String path, Map<String, String> headers, byte @Nullable [] json, Duration patience)
            throws HttpFailure {
        try (Connection connection = Connection.to(address, trust)) {
            connection.allow(patience);
            String token = tokens.tokenFor(connection.peer());
            sendUnlessAnsweredEarly(connection, request(method, path, headers, json, token));
            InputStream in = new BufferedInputStream(connection);
            ResponseHead head = ResponseHead.read(in);
            return new HttpAnswer(head.status(), head.headers(), body(head, in).readAllBytes());
        } catch (IOException e) {
            throw noAnswer(e);
        }
    }

    /**
     * A broker may refuse a request that is too large and close the connection before reading all of it: then its
     * answer counts. If there is none, reading it fails.
     */
    private static void sendUnlessAnsweredEarly(Connection connection, byte[] request) {
        try {
            connection.send(request);
        } catch (IOException broken) {
            // reported by the read that follows
        }
    }

    private byte[] request(
            String method, String path, Map<String, String> headers, byte @Nullable [] json, @Nullable String token) {
        StringBuilder head = new StringBuilder(method)
                .append(' ')
                .append(address.path())
                .append(path)
                .append(" HTTP/1.1\r\nHost: ")
                .append(address.authority())
                .append("\r\nUser-Agent: holdfast\r\nConnection: close\r\n");
        append(head, standing);
        append(head, headers);
        if (token != null) {
            head.append("Authorization: Bearer ").append(token).append("\r\n");
        }
        if (json != null) {
            head.append("Content-Type: application/json\r\nContent-Length: ")
                    .append(json.length)
                    .append("\r\n");
        }
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
        if (json != null) {
            request.writeBytes(json);
        }
        return request.toByteArray();
    }

    private static void append(StringBuilder head, Map<String, String> headers) {
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    }

    private static InputStream body(ResponseHead head, InputStream in) throws HttpFailure {
        if (head.isChunked()) {
            return new ChunkedBody(in);
        }
        String length = head.header("content-length");
        if (length == null) {
            return in;
        }
        try {
            return new FixedLengthBody(in, Long.parseUnsignedLong(length));
        } catch (NumberFormatException e) {
            throw ResponseHead.notHttp("the answer's Content-Length is '" + length + "'", e);
        }
    }

    private static HttpFailure noAnswer(IOException e) {
        return switch (e) {
            case HttpFailure failure -> failure;
            case SocketTimeoutException timeout -> new HttpFailure(Kind.NO_ANSWER, "no answer in time", timeout);
            case EOFException end -> new HttpFailure(Kind.NO_ANSWER, String.valueOf(end.getMessage()), end);
            default -> new HttpFailure(Kind.NO_ANSWER, "the connection broke: " + e.getMessage(), e);
        };
    }
}
