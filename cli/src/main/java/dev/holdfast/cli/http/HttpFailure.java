package dev.holdfast.cli.http;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A request that got no usable answer. */
public final class HttpFailure extends IOException {
    public enum Kind {
        /** Nothing was sent: nobody is listening there, or the host is unknown. */
        NO_CONNECTION,
        /** Nothing was sent: another user's program is listening there, or its owner is unknown. */
        STRANGER,
        /** Nothing was sent: the certificate of whoever is listening there is not trusted. */
        UNTRUSTED,
        /** It was sent, then the connection broke or the time ran out. It may have taken effect. */
        NO_ANSWER,
        /** The other end does not speak HTTP. */
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
