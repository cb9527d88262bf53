package dev.holdfast.token;

import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Pending;
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

    private static final Sql FIND = Sql.of("SELECT token_hash, expires_at FROM page_sessions WHERE hash = :hash");

    private static final Sql DELETE = Sql.of("DELETE FROM page_sessions WHERE hash = :hash");

    private static final Sql DELETE_EXPIRED = Sql.of("DELETE FROM page_sessions WHERE expires_at <= :now");

    /** Those that end last stay; they began last. */
    private static final Sql DELETE_OLDEST = Sql.of("""
            DELETE FROM page_sessions WHERE token_hash = :token_hash AND expires_at > :from AND expires_at <= :to
                AND hash NOT IN (SELECT hash FROM page_sessions WHERE token_hash = :token_hash AND expires_at > :from
                    AND expires_at <= :to ORDER BY expires_at DESC, hash LIMIT :most)
            """);

    private static final Sql DELETE_ALL = Sql.of("DELETE FROM page_sessions");

    private PageSessionTable() {}

    static void insert(Transaction transaction, String hash, String tokenHash, Instant expiresAt) throws SQLException {
        transaction.update(
                INSERT,
                p -> p.text("hash", hash)
                        .text("token_hash", tokenHash)
                        .time("expires_at", LeaseClock.micros(expiresAt)));
    }

    private record Known(String tokenHash, long expiresAt) {}

    /** By the store's clock; takes one round trip. */
    static Optional<String> tokenHash(Transaction transaction, String hash) throws SQLException {
        Pending<Optional<Known>> known = transaction.askFirst(
                FIND, p -> p.text("hash", hash), row -> new Known(row.text("token_hash"), row.time("expires_at")));
        long now = transaction.askNow().get();
        return known.get().filter(one -> one.expiresAt > now).map(Known::tokenHash);
    }

    static int delete(Transaction transaction, String hash) throws SQLException {
        return transaction.update(DELETE, p -> p.text("hash", hash));
    }

    static int deleteExpired(Transaction transaction, Instant now) throws SQLException {
        return transaction.update(DELETE_EXPIRED, p -> p.time("now", LeaseClock.micros(now)));
    }

    /** Deletes all but so many of those of a token that end in this time. */
    static void deleteOldest(Transaction transaction, String tokenHash, Instant from, Instant to, int most)
            throws SQLException {
        transaction.update(
                DELETE_OLDEST,
                p -> p.text("token_hash", tokenHash)
                        .time("from", LeaseClock.micros(from))
                        .time("to", LeaseClock.micros(to))
                        .number("most", most));
    }

    static void deleteAll(Transaction transaction) throws SQLException {
        transaction.update(DELETE_ALL, _ -> {});
    }
}
