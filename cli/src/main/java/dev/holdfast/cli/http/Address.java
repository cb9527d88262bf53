package dev.holdfast.cli.http;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * A broker's address.
 *
 * @param host a name or a literal IPv4 or IPv6 address, without brackets
 * @param path the prefix of every path, empty or such as {@code /holdfast}
 * @param secure whether to use TLS
 */
public record Address(String host, int port, String path, boolean secure) {
    private static final int PLAIN = 80;
    private static final int SECURE = 443;

    /** Without TLS. */
    public Address(String host, int port, String path) {
        this(host, port, path, false);
    }

    /** Parses {@code http[s]://host[:port][/path]}; rejects anything else with a message for the user. */
    public static Address parse(String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("'" + url + "' is not a URL; write it like http://127.0.0.1:8321", e);
        }
        boolean secure = "https".equalsIgnoreCase(uri.getScheme());
        if (!(secure || "http".equalsIgnoreCase(uri.getScheme())) || uri.getHost() == null) {
            throw new IllegalArgumentException("'" + url + "' is not an http URL; write it like http://127.0.0.1:8321");
        }
        if (uri.getRawQuery() != null || uri.getRawFragment() != null || uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "'" + url + "' has more than host, port and path; a token goes into HOLDFAST_TOKEN");
        }
        String host = uri.getHost();
        if (host.startsWith("[")) {
            host = host.substring(1, host.length() - 1);
        }
        String path = uri.getRawPath();
        while (path.endsWith("/")) {
            path = path.substring(0, path.length() - 1);
        }
        return new Address(host, uri.getPort() < 0 ? usual(secure) : uri.getPort(), path, secure);
    }

    private static int usual(boolean secure) {
        return secure ? SECURE : PLAIN;
    }

    /** Whether it is this machine, by a name that cannot point elsewhere. */
    public boolean isLoopback() {
        return host.equalsIgnoreCase("localhost") || host.equals("::1") || host.matches("127(\\.\\d{1,3}){3}");
    }

    /** The value of the {@code Host} header. */
    String authority() {
        return (host.contains(":") ? "[" + host + "]" : host) + (port == usual(secure) ? "" : ":" + port);
    }

    @Override
    public String toString() {
        return (secure ? "https://" : "http://") + authority() + path;
    }
}
