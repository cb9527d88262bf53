package dev.holdfast.broker;

import dev.holdfast.broker.config.Config;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The broker that commands go to, if it is not the one that {@code holdfast serve} would start here.
 *
 * @param url the address from the environment, without secrets
 * @param served its own record on this machine; empty: none
 */
record OtherBroker(String url, Optional<BrokerRecord> served) {
    private static final String VARIABLE = "HOLDFAST_URL";
    private static final String UNREADABLE = "something that is not an address";

    static Optional<OtherBroker> of(Map<String, String> environment, Config config, Path state) {
        String named = environment.getOrDefault(VARIABLE, "").strip();
        if (named.isEmpty()) {
            return Optional.empty();
        }
        try {
            URI address = URI.create(named);
            String host = address.getHost();
            int port = address.getPort() >= 0 ? address.getPort() : "https".equals(address.getScheme()) ? 443 : 80;
            if (host == null) {
                return Optional.of(new OtherBroker(UNREADABLE, Optional.empty()));
            }
            boolean same = port == config.server().port()
                    && isSame(host, config.server().host());
            String shown = address.getScheme() + "://" + host + ":" + port;
            return same ? Optional.empty() : Optional.of(new OtherBroker(shown, BrokerRecord.last(state, host, port)));
        } catch (IllegalArgumentException noAddress) {
            return Optional.of(new OtherBroker(UNREADABLE, Optional.empty()));
        }
    }

    /** A broker that listens on all addresses is reachable at any of this machine's. */
    private static boolean isSame(String asked, String listening) {
        boolean all = listening.equals("0.0.0.0") || listening.equals("::");
        return asked.equals(listening) || (isHere(asked) && (isHere(listening) || all));
    }

    private static boolean isHere(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("::1") || host.equals("[::1]");
    }

    String description() {
        return VARIABLE + " names another broker; these are not its settings: "
                + served.map(ConfigCommand::described).orElse(url + "; this machine knows nothing else about it");
    }
}
