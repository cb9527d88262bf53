package dev.holdfast.broker;

import dev.holdfast.broker.config.Config;
import dev.holdfast.token.Tokens;
import java.net.UnknownHostException;
import java.nio.file.Files;

/**
 * Decides whether a broker may listen on its configured address: beyond loopback only with tokens, or anybody could
 * call it.
 */
final class ListenAddressCheck {
    private ListenAddressCheck() {}

    /** Checked before anything is created: a refused broker leaves no store behind. */
    static void check(Config config) {
        Config.Server server = config.server();
        try {
            if (server.reachable()
                    && config.store().database() == null
                    && !Files.exists(config.store().data())) {
                throw noTokens(server);
            }
        } catch (UnknownHostException e) {
            throw new StartException("cannot listen on " + server.host() + ": no such address on this machine", e);
        }
    }

    /** Beyond loopback every call needs a token, and without a first token nobody could ever create one. */
    static void check(Config.Server server, Tokens tokens) throws UnknownHostException {
        if (server.reachable() && tokens.live().isEmpty()) {
            throw noTokens(server);
        }
    }

    private static StartException noTokens(Config.Server server) {
        return new StartException(
                "will not listen on " + server.host() + ": other machines could reach it, which requires"
                        + " a token, and there is none. Start it on this machine first (holdfast serve --host 127.0.0.1, with"
                        + " the same store), create one with 'holdfast token create NAME --role admin', then start it again");
    }
}
