package dev.holdfast.token;

import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/** The SQL of {@code page_sessions}. */
final class PageSessionTable {
    private static final Sql INSERT = Sql.of("""
            INSERT INTO page_sessions (hash, token_hash, expires_at) VALUES (:hash, :token_hash, :expires_at)
            """);

    private static final Sql FIND =
            Sql.of("SELECT token_hash FROM page_sessions WHERE hash = :hash AND expires_at > :now");

    private static final Sql DELETE = Sql.of("DELETE FROM page_sessions WHERE hash = :hash");

    private static final Sql DELETE_EXPIRED = Sql.of("DELETE FROM page_sessions WHERE expires_at <= :now");

    private static final Sql DELETE_ALL = Sql.of("DELETE FROM page_sessions");

    private PageSessionTable() {}

    static void insert(Transaction transaction, String hash, String tokenHash, Instant expiresAt) throws SQLException {
        transaction.update(
                INSERT,
                p -> p.text("hash", hash)
                        .text("token_hash", tokenHash)
                        .time("expires_at", LeaseClock.micros(expiresAt)));
    }

    static Optional<String> tokenHash(Transaction transaction, String hash, Instant now) throws SQLException {
        return transaction.first(
                FIND, p -> p.text("hash", hash).time("now", LeaseClock.micros(now)), row -> row.text("token_hash"));
    }

    static int delete(Transaction transaction, String hash) throws SQLException {
        return transaction.update(DELETE, p -> p.text("hash", hash));
    }

    static int deleteExpired(Transaction transaction, Instant now) throws SQLException {
        return transaction.update(DELETE_EXPIRED, p -> p.time("now", LeaseClock.micros(now)));
    }

    static void deleteAll(Transaction transaction) throws SQLException {
        transaction.update(DELETE_ALL, _ -> {});
    }
}
