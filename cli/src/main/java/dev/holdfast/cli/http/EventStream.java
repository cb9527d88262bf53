package dev.holdfast.cli.http;

import dev.holdfast.cli.http.HttpFailure.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Server-sent events, one after the other, for as long as the connection lasts. */
public final class EventStream implements AutoCloseable {
    private final HttpAnswer opening;
    private final @Nullable Connection connection;
    private final BufferedReader lines;
    private final Duration silence;
    private @Nullable String idOfNext;
    private @Nullable String lastId;

    /** A stream that was refused. */
    EventStream(HttpAnswer refusal) {
        this(refusal, null, InputStream.nullInputStream(), Duration.ZERO);
    }

    EventStream(HttpAnswer opening, @Nullable Connection connection, InputStream body, Duration silence) {
        this.opening = opening;
        this.connection = connection;
        this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        this.silence = silence;
    }

    /** Status and headers; for a refusal, also the body. */
    public HttpAnswer opening() {
        return opening;
    }

    /**
     * Where to resume, as of the last complete message; a broker also sends an id without an event if there was none
     * yet.
     */
    public @Nullable String lastId() {
        return lastId;
    }

    /** Waits for the next event. Comments, which brokers send as heartbeats, are not returned but reset the timeout. */
    public String next() throws HttpFailure {
        StringBuilder data = new StringBuilder();
        while (true) {
            String line = line();
            if (line.isEmpty()) {
                // not earlier: an incomplete event must be requested again
                lastId = idOfNext;
                if (!data.isEmpty()) {
                    data.setLength(data.length() - 1);
                    return data.toString();
                }
            } else if (line.startsWith("data:")) {
                data.append(value(line, "data:")).append('\n');
            } else if (line.startsWith("id:")) {
                idOfNext = value(line, "id:");
            }
        }
    }

    private String line() throws HttpFailure {
        try {
            if (connection != null) {
                connection.allow(silence);
            }
            String line = lines.readLine();
            if (line == null) {
                throw new HttpFailure(Kind.NO_ANSWER, "the broker ended the stream", null);
            }
            return line;
        } catch (HttpFailure e) {
            throw e;
        } catch (IOException e) {
            throw new HttpFailure(Kind.NO_ANSWER, "the connection broke: " + e.getMessage(), e);
        }
    }

    private static String value(String line, String field) {
        int from = field.length();
        return line.substring(line.startsWith(" ", from) ? from + 1 : from);
    }

    @Override
    public void close() {
        if (connection != null) {
            connection.close();
        }
    }
}
