package dev.holdfast.token;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.event.Events;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.LruMap;
import dev.holdfast.store.Pending;
import dev.holdfast.store.Sha256;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The tokens of a team. A token is {@code hf_}, eight digits that identify it to people, and 256 random bits. Only the
 * SHA-256 of the whole is stored, which is enough for a secret that nobody can guess. Its text is returned once, to the
 * caller that creates it.
 *
 * <p>A lookup is cached for a second: for that long, a token that another broker has revoked may still be accepted
 * here. Whether one has expired is decided by the store's clock, so that brokers with different clocks agree.
 */
public final class Tokens {
    public static final String PREFIX = "hf_";

    private static final int ID_BYTES = 4;
    private static final int SECRET_BYTES = 32;
    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final Duration WRITE_INTERVAL = Duration.ofMinutes(1);
    /** Only valid tokens are remembered; otherwise somebody guessing could fill the memory. */
    private static final int MAX_REMEMBERED = 10_000;

    /** A time by the store's clock, and when it was read. */
    private record Reading(Instant time, long nanos) {
        boolean isFresh(long now) {
            return now - nanos <= FRESH.toNanos();
        }

        Instant at(long now) {
            return time.plusNanos(now - nanos);
        }
    }

    private record Seen(TeamToken token, Reading at) {}

    private record All(List<TeamToken> tokens, Reading at) {}

    private final Store store;
    private final Events events;
    private final LongSupplier nanoTime;
    private final SecureRandom random;
    private final PageSessions sessions;
    private final AtomicReference<@Nullable All> all = new AtomicReference<>();

    private final Map<String, Seen> good = new LruMap<>(MAX_REMEMBERED);

    /** @param nanoTime for how long ago the store's clock was read */
    public Tokens(Store store, Events events, LongSupplier nanoTime, SecureRandom random) {
        this.store = store;
        this.events = events;
        this.nanoTime = nanoTime;
        this.random = random;
        sessions = new PageSessions(store, nanoTime, random);
    }

    /**
     * A token that was just created.
     *
     * @param text the token itself, which cannot be retrieved again
     */
    public record Made(TeamToken token, String text) {
        /** Leaves out the secret, which must not appear in a log. */
        @Override
        public String toString() {
            return "Made[" + token + "]";
        }
    }

    /** @throws RefusedException if the name is taken */
    public Made create(NewToken asked) {
        Instant now = now();
        checkEnd(asked.expiresAt(), now);
        String id = HexFormat.of().formatHex(bytes(random, ID_BYTES));
        String text = text(id);
        TeamToken made = store.write(transaction -> {
            checkLooks(transaction, asked.name());
            Optional<TeamToken> before = TokenTable.find(transaction, asked.name());
            if (before.isPresent() || !TokenTable.insert(transaction, id, asked, Sha256.hex(text), now)) {
                throw new RefusedException(
                        RefusalCode.BAD_STATE,
                        "there is a token named " + asked.name()
                                + " already; revoke or rotate it, or choose another name");
            }
            TeamToken token = found(transaction, id);
            tell(transaction, "token_created", token, asked.by());
            return token;
        });
        forget();
        return new Made(made, text);
    }

    /** Revokes a token: it is refused from now on. */
    public TeamToken revoke(String named, @Nullable String by) {
        Instant now = now();
        TeamToken ended = store.write(transaction -> {
            TeamToken token = found(transaction, named);
            TokenTable.revoke(transaction, token.id(), by, now);
            tell(transaction, "token_revoked", token, by);
            return token.revoked(now);
        });
        forget();
        return ended;
    }

    /**
     * Gives a token a new secret; everything else about it stays.
     *
     * @param grace how long the former secret stays valid, so that its users can switch
     * @param expiresAt its new expiry; null: unchanged
     */
    public Made rotate(String named, Duration grace, @Nullable Instant expiresAt, @Nullable String by) {
        Instant now = now();
        checkEnd(expiresAt, now);
        AtomicReference<String> text = new AtomicReference<>("");
        TeamToken rotated = store.write(transaction -> {
            TeamToken token = found(transaction, named);
            text.set(text(token.id()));
            TokenTable.rotate(
                    transaction,
                    token.id(),
                    Sha256.hex(text.get()),
                    grace.isPositive() ? now.plus(grace) : null,
                    expiresAt == null ? token.expiresAt() : expiresAt);
            tell(transaction, "token_rotated", token, by);
            return found(transaction, token.id());
        });
        forget();
        return new Made(rotated, text.get());
    }

    /** All tokens ever created, by name. */
    public List<TeamToken> list() {
        return store.read(TokenTable::list);
    }

    /** Those that are still valid. */
    public List<TeamToken> live() {
        All known = all();
        Instant now = known.at.at(nanoTime.getAsLong());
        return known.tokens.stream().filter(token -> !token.expired(now)).toList();
    }

    /** Those that are not revoked, at most a second out of date: their names are taken. */
    public List<TeamToken> unrevoked() {
        return all().tokens;
    }

    /** The time by the store's clock, which decides when tokens expire. */
    public Instant now() {
        return all().at.at(nanoTime.getAsLong());
    }

    private All all() {
        long nanos = nanoTime.getAsLong();
        All known = all.get();
        if (known == null || !known.at.isFresh(nanos)) {
            known = store.read(transaction -> {
                Pending<List<TeamToken>> tokens = TokenTable.askList(transaction);
                Instant now = LeaseClock.instant(transaction.askNow().get());
                return new All(
                        tokens.get().stream().filter(token -> !token.revoked()).toList(), new Reading(now, nanos));
            });
            all.set(known);
        }
        return known;
    }

    /** Whether this token was valid when it was last presented; a guessed one never is. */
    public boolean remembers(String text) {
        synchronized (good) {
            return good.containsKey(Sha256.hex(text));
        }
    }

    /** The status of a presented token. Its use is recorded once a minute. */
    public TokenStatus shown(String text) {
        return ofHash(Sha256.hex(text));
    }

    /**
     * As above, for the token that a browser signed in with; {@link #sessions} stores what the browser itself presents.
     */
    public TokenStatus signedIn(String session) {
        return sessions.tokenHash(session).map(this::ofHash).orElseGet(TokenStatus.Unknown::new);
    }

    public PageSessions sessions() {
        return sessions;
    }

    /** As above, by the hash of the token. */
    public TokenStatus ofHash(String hash) {
        long nanos = nanoTime.getAsLong();
        @Nullable Seen seen = freshlySeen(hash, nanos);
        TokenTable.Found known = seen != null
                ? new TokenTable.Found(seen.token, seen.at.at(nanos))
                : store.read(transaction -> TokenTable.ofHash(transaction, hash));
        TeamToken token = known.token();
        if (token == null) {
            forget(hash);
            return new TokenStatus.Unknown();
        }
        if (token.revoked() || token.expired(known.now())) {
            forget(hash);
            return token.revoked() ? new TokenStatus.Revoked(token) : new TokenStatus.Expired(token);
        }
        if (seen == null) {
            remember(hash, new Seen(used(token, known.now()), new Reading(known.now(), nanos)));
        }
        return new TokenStatus.Good(token);
    }

    private @Nullable Seen freshlySeen(String hash, long nanos) {
        synchronized (good) {
            Seen seen = good.get(hash);
            return seen == null || !seen.at.isFresh(nanos) ? null : seen;
        }
    }

    private TeamToken used(TeamToken token, Instant now) {
        Instant last = token.lastUsedAt();
        if (last != null && now.isBefore(last.plus(WRITE_INTERVAL))) {
            return token;
        }
        return store.write(transaction -> {
            TokenTable.used(transaction, token.id(), now);
            return token;
        });
    }

    private void remember(String hash, Seen seen) {
        synchronized (good) {
            good.put(hash, seen);
        }
    }

    private void forget(String hash) {
        synchronized (good) {
            good.remove(hash);
        }
    }

    private void forget() {
        all.set(null);
        synchronized (good) {
            good.clear();
        }
    }

    private static TeamToken found(Transaction transaction, String named) throws SQLException {
        return TokenTable.find(transaction, named)
                .orElseThrow(() -> new RefusedException(
                        RefusalCode.NOT_FOUND,
                        "there is no valid token '" + named + "'; give its name or its id, as 'holdfast"
                                + " token list' shows them"));
    }

    /** A name that people cannot tell from that of another token is refused; the same name is refused by itself. */
    private static void checkLooks(Transaction transaction, String name) throws SQLException {
        for (TeamToken other : TokenTable.list(transaction)) {
            if (!other.revoked()
                    && !other.name().equals(name)
                    && NameSkeleton.of(name).isTakenFor(other.name())) {
                throw new RefusedException(
                        RefusalCode.BAD_STATE,
                        "the name " + name + " looks like that of the token " + other.name()
                                + "; choose one that people can tell apart");
            }
        }
    }

    private static void checkEnd(@Nullable Instant expiresAt, Instant now) {
        if (expiresAt != null && !expiresAt.isAfter(now)) {
            throw new InvalidException("the token would already be expired");
        }
    }

    private void tell(Transaction transaction, String type, TeamToken token, @Nullable String by) throws SQLException {
        tell(events, transaction, type, token, by);
    }

    static void tell(Events events, Transaction transaction, String type, TeamToken token, @Nullable String by)
            throws SQLException {
        String detail = JsonMapper.shared()
                .writeValueAsString(Map.of(
                        "name", token.name(), "roles", TokenTable.roles(token.roles()), "projects", token.projects()));
        events.append(transaction, transaction.now(), type, "token:" + token.id(), by, null, detail);
    }

    private String text(String id) {
        return PREFIX + id + "_" + secret(random);
    }

    /** An unguessable text in characters that never need quoting. */
    static String secret(SecureRandom random) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(random, SECRET_BYTES));
    }

    private static byte[] bytes(SecureRandom random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
