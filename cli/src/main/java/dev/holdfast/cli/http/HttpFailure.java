package dev.holdfast.cli.http;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A request that got no usable answer. */
public final class HttpFailure extends IOException {
    public enum Kind {
        /** Nothing was sent: nobody listens there, or the host is unknown. */
        NO_CONNECTION,
        /** Nothing was sent: another user's program listens there, or nobody knows whose. */
        STRANGER,
        /** Nothing was sent: nobody vouches for the certificate of whoever listens there. */
        UNTRUSTED,
        /** It was sent, and the connection broke or time ran out. What it asked for may have been done. */
        NO_ANSWER,
        /** Whoever answered does not speak HTTP. */
        NOT_HTTP
    }

    private final Kind kind;

    HttpFailure(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
