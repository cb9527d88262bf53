package dev.holdfast.store;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a PostgreSQL database. Prints without the password.
 *
 * @param jdbcUrl without the parameters that the store sets itself
 * @param options the start-up options that the user wrote into the address
 */
record PostgresAddress(String jdbcUrl, Map<String, String> credentials, String options) {
    /** postgres://user:password@host:port,host:port/database?parameters; everything after the scheme is optional. */
    private static final Pattern ADDRESS =
            Pattern.compile("postgres(?:ql)?://(?:([^@/?]*)@)?([^@/?]*)(/[^?@]*)?(?:\\?(.*))?");

    /**
     * Parameters that the guarantees depend on: how long to wait for an answer, and the options, to which we add ours.
     */
    private static final Set<String> OURS = Set.of("options", "socketTimeout");

    static PostgresAddress parse(String address) {
        if (address.startsWith("jdbc:postgresql:")) {
            String[] parts = address.split("\\?", 2);
            return of(parts[0], Map.of(), parts.length == 2 ? parts[1] : "");
        }
        if (!address.startsWith("postgres://") && !address.startsWith("postgresql://")) {
            throw new StoreException("not a database address: '" + withoutPassword(address)
                    + "'; it looks like postgres://user:password@host:5432/database");
        }
        Matcher parts = ADDRESS.matcher(address);
        if (!parts.matches() || address.contains(" ")) {
            throw unreadable(address);
        }
        String hosts = parts.group(2).isEmpty() ? "localhost" : parts.group(2);
        String database = parts.group(3) == null ? "/" : parts.group(3);
        String query = parts.group(4) == null ? "" : parts.group(4);
        // of several servers, only the one that accepts changes is useful
        String oneOfMany =
                hosts.contains(",") && !query.contains("targetServerType=") ? "targetServerType=primary" : "";
        return of(
                "jdbc:postgresql://" + hosts + database,
                credentials(parts.group(1) == null ? "" : parts.group(1), address),
                query + (query.isEmpty() || oneOfMany.isEmpty() ? "" : "&") + oneOfMany);
    }

    private static PostgresAddress of(String place, Map<String, String> credentials, String query) {
        List<String> kept = new ArrayList<>();
        List<String> options = new ArrayList<>();
        for (String parameter : query.isEmpty() ? new String[0] : query.split("&")) {
            String[] parts = parameter.split("=", 2);
            if (!OURS.contains(parts[0])) {
                kept.add(parameter);
            } else if (parts[0].equals("options") && parts.length == 2) {
                options.add(parts[1]);
            }
        }
        String url = kept.isEmpty() ? place : place + "?" + String.join("&", kept);
        try {
            // like the driver, read + as a space
            return new PostgresAddress(
                    url, credentials, URLDecoder.decode(String.join("+", options), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException _) {
            throw unreadable(url);
        }
    }

    private static Map<String, String> credentials(String user, String address) {
        Map<String, String> credentials = new HashMap<>();
        String[] parts = user.split(":", 2);
        try {
            if (!parts[0].isEmpty()) {
                credentials.put("user", decoded(parts[0]));
            }
            if (parts.length == 2) {
                credentials.put("password", decoded(parts[1]));
            }
        } catch (IllegalArgumentException _) {
            throw unreadable(address);
        }
        return credentials;
    }

    private static StoreException unreadable(String address) {
        return new StoreException("the database address '" + withoutPassword(address)
                + "' cannot be read; special characters are written as %xx");
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static String withoutPassword(String address) {
        return address.replaceAll("(//[^:/@]*):.*@", "$1:***@").replaceAll("(?i)(password=)[^&]*", "$1***");
    }

    @Override
    public String toString() {
        return withoutPassword(jdbcUrl).replaceFirst("^jdbc:postgresql:", "postgres:");
    }
}
