package dev.holdfast.broker;

import dev.holdfast.broker.config.Config;
import java.io.IOException;
import java.net.BindException;

/** The broker cannot start; the message says why and what to do. */
public final class StartException extends RuntimeException {
    StartException(String message) {
        super(message);
    }

    StartException(String message, Throwable cause) {
        super(message, cause);
    }

    static StartException cannotListen(Config.Server server, IOException cause) {
        String address = server.host() + ":" + server.port();
        return new StartException(
                cause instanceof BindException
                                && String.valueOf(cause.getMessage()).contains("in use")
                        ? address
                                + " is in use, perhaps by another broker; use that one, or choose another port with"
                                + " --port (0 picks a free one)"
                        : "cannot listen on " + address + ": " + cause.getMessage(),
                cause);
    }
}
