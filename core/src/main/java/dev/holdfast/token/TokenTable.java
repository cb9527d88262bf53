package dev.holdfast.token;

import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Row;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The SQL of {@code tokens}. A row is never deleted, because the history refers to it. */
final class TokenTable {
    private static final Sql INSERT = Sql.of("""
            INSERT INTO tokens (id, name, hash, roles, projects, created_at, created_by, expires_at)
            VALUES (:id, :name, :hash, :roles, :projects, :created_at, :created_by, :expires_at)
            ON CONFLICT DO NOTHING
            """);

    private static final Sql OF_HASH = Sql.of("SELECT * FROM tokens WHERE hash = :hash");

    private static final Sql OF_FORMER_HASH =
            Sql.of("SELECT * FROM tokens WHERE former_hash = :hash AND former_until IS NOT NULL");

    private static final Sql FIND = Sql.of("""
            SELECT * FROM tokens WHERE (id = :named OR name = :named) AND revoked_at IS NULL ORDER BY id FOR UPDATE
            """);

    private static final Sql LIST = Sql.of("SELECT * FROM tokens ORDER BY name, created_at, id");

    private static final Sql REVOKE = Sql.of("""
            UPDATE tokens SET revoked_at = :now, revoked_by = :by, former_hash = NULL, former_until = NULL
            WHERE id = :id AND revoked_at IS NULL
            """);

    private static final Sql ROTATE = Sql.of("""
            UPDATE tokens SET former_hash = CASE WHEN :keeps THEN hash END, former_until = :former_until, hash = :hash,
                expires_at = :expires_at
            WHERE id = :id AND revoked_at IS NULL
            """);

    private static final Sql SET_SECRETS = Sql.of("""
            UPDATE tokens SET hash = :hash, former_hash = :former_hash, former_until = :former_until, expires_at = :expires_at
            WHERE id = :id
            """);

    private static final Sql USED = Sql.of("UPDATE tokens SET last_used_at = :now WHERE id = :id");

    private TokenTable() {}

    static boolean insert(Transaction transaction, String id, NewToken made, String hash, Instant now)
            throws SQLException {
        return transaction.update(
                        INSERT,
                        p -> p.text("id", id)
                                .text("name", made.name())
                                .text("hash", hash)
                                .text("roles", roles(made.roles()))
                                .text("projects", JsonMapper.shared().writeValueAsString(made.projects()))
                                .time("created_at", micros(now))
                                .text("created_by", made.by())
                                .time("expires_at", micros(made.expiresAt())))
                > 0;
    }

    /**
     * What the store knows about a hash, by the store's clock.
     *
     * @param token by its current secret, or by its previous one during the grace period; null: there is none
     */
    record Found(@Nullable TeamToken token, Instant now) {}

    /** Takes one round trip. */
    static Found ofHash(Transaction transaction, String hash) throws SQLException {
        Pending<Optional<TeamToken>> current =
                transaction.askFirst(OF_HASH, p -> p.text("hash", hash), TokenTable::read);
        Pending<Optional<Former>> former = transaction.askFirst(
                OF_FORMER_HASH,
                p -> p.text("hash", hash),
                row -> new Former(read(row), LeaseClock.instant(row.time("former_until"))));
        Instant now = LeaseClock.instant(transaction.askNow().get());
        Optional<TeamToken> found = current.get();
        return new Found(
                found.isPresent()
                        ? found.get()
                        : former.get()
                                .filter(one -> one.until.isAfter(now))
                                .map(Former::token)
                                .orElse(null),
                now);
    }

    private record Former(TeamToken token, Instant until) {}

    static Optional<TeamToken> find(Transaction transaction, String named) throws SQLException {
        return transaction.first(FIND, p -> p.text("named", named), TokenTable::read);
    }

    static List<TeamToken> list(Transaction transaction) throws SQLException {
        return askList(transaction).get();
    }

    static Pending<List<TeamToken>> askList(Transaction transaction) throws SQLException {
        return transaction.ask(LIST, _ -> {}, TokenTable::read);
    }

    static void revoke(Transaction transaction, String id, @Nullable String by, Instant now) throws SQLException {
        transaction.update(REVOKE, p -> p.text("id", id).text("by", by).time("now", micros(now)));
    }

    /** @param formerUntil how long the current secret stays valid; null: no longer */
    static void rotate(
            Transaction transaction, String id, String hash, @Nullable Instant formerUntil, @Nullable Instant expiresAt)
            throws SQLException {
        transaction.update(
                ROTATE,
                p -> p.text("id", id)
                        .flag("keeps", formerUntil != null)
                        .time("former_until", micros(formerUntil))
                        .text("hash", hash)
                        .time("expires_at", micros(expiresAt)));
    }

    static void used(Transaction transaction, String id, Instant now) throws SQLException {
        transaction.update(USED, p -> p.text("id", id).time("now", micros(now)));
    }

    /** All tokens, with the hashes of their secrets, by name. */
    static List<RestoredTokens.Known> known(Transaction transaction) throws SQLException {
        return transaction.list(
                LIST,
                _ -> {},
                row -> new RestoredTokens.Known(
                        read(row),
                        row.text("hash"),
                        row.textOrNull("former_hash"),
                        instant(row.timeOrNull("former_until"))));
    }

    static void setSecrets(Transaction transaction, RestoredTokens.Known known) throws SQLException {
        transaction.update(
                SET_SECRETS,
                p -> p.text("id", known.token().id())
                        .text("hash", known.hash())
                        .text("former_hash", known.formerHash())
                        .time("former_until", micros(known.formerUntil()))
                        .time("expires_at", micros(known.token().expiresAt())));
    }

    static String roles(Set<Role> roles) {
        return roles.stream().sorted().map(Role::toString).collect(Collectors.joining(","));
    }

    private static TeamToken read(Row row) throws SQLException {
        return new TeamToken(
                row.text("id"),
                row.text("name"),
                roles(row.text("roles")),
                List.of(JsonMapper.shared().readValue(row.text("projects"), String[].class)),
                LeaseClock.instant(row.time("created_at")),
                row.textOrNull("created_by"),
                instant(row.timeOrNull("expires_at")),
                instant(row.timeOrNull("last_used_at")),
                instant(row.timeOrNull("revoked_at")));
    }

    private static Set<Role> roles(String words) {
        return Arrays.stream(words.split(",", -1))
                .map(Role::of)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Role.class)));
    }

    private static @Nullable Long micros(@Nullable Instant at) {
        return at == null ? null : LeaseClock.micros(at);
    }

    private static @Nullable Instant instant(@Nullable Long micros) {
        return micros == null ? null : LeaseClock.instant(micros);
    }
}
