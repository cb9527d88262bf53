package dev.holdfast.store;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Where a PostgreSQL database is. Prints without the password. */
record PostgresAddress(String jdbcUrl, Map<String, String> credentials) {
    static PostgresAddress parse(String address) {
        if (address.startsWith("jdbc:postgresql:")) {
            return new PostgresAddress(address, Map.of());
        }
        if (!address.startsWith("postgres://") && !address.startsWith("postgresql://")) {
            throw new StoreException("not a database address: '" + withoutPassword(address)
                    + "'; it looks like postgres://user:password@host:5432/database");
        }
        URI uri;
        try {
            uri = URI.create(address);
        } catch (IllegalArgumentException _) {
            throw new StoreException("the database address '" + withoutPassword(address)
                    + "' cannot be read; special characters in a password are written as %xx");
        }
        Map<String, String> credentials = new HashMap<>();
        String user = uri.getRawUserInfo();
        if (user != null) {
            String[] parts = user.split(":", 2);
            credentials.put("user", decoded(parts[0]));
            if (parts.length == 2) {
                credentials.put("password", decoded(parts[1]));
            }
        }
        String host = uri.getHost() == null ? "localhost" : uri.getHost();
        int port = uri.getPort() < 0 ? 5432 : uri.getPort();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return new PostgresAddress("jdbc:postgresql://" + host + ":" + port + uri.getRawPath() + query, credentials);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static String withoutPassword(String address) {
        return address.replaceAll(":[^:/@]*@", ":***@").replaceAll("(?i)(password=)[^&]*", "$1***");
    }

    @Override
    public String toString() {
        return withoutPassword(jdbcUrl);
    }
}
