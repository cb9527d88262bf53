package dev.holdfast.token;

import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.LruMap;
import dev.holdfast.store.Sha256;
import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Browsers that have signed in with a token. A browser keeps a separate secret that opens pages, never the token,
 * because browsers send their cookies to every port of a host. A session ends when the browser signs out, after 30
 * days, with its token, or when a hundred other browsers have signed in with that token since.
 *
 * <p>A lookup is cached for a second: for that long, a session that another broker has ended may still be accepted
 * here.
 */
public final class PageSessions {
    public static final Duration LONGEST = Duration.ofDays(30);

    /** Differs from the prefix of any token. */
    public static final String PREFIX = "hfp_";

    /** Differs from the prefix of any token and of a session, so that a link is good for signing in only. */
    public static final String LINK_PREFIX = "hfl_";

    private static final Duration LINK_LIFE = Duration.ofMinutes(5);
    /** Otherwise even a token that may only read could fill the store. */
    private static final int MAX_OF_TOKEN = 100;

    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final int MAX_REMEMBERED = 1_000;

    private record Seen(String tokenHash, long nanos) {}

    private final Store store;
    private final LongSupplier nanoTime;
    private final SecureRandom random;

    private final Map<String, Seen> seen = new LruMap<>(MAX_REMEMBERED);

    PageSessions(Store store, LongSupplier nanoTime, SecureRandom random) {
        this.store = store;
        this.nanoTime = nanoTime;
        this.random = random;
    }

    /**
     * Signs a browser in.
     *
     * @param tokenHash of a valid token
     * @return the secret for the browser to keep; it cannot be retrieved again
     */
    public String open(String tokenHash) {
        return store.write(transaction -> insert(transaction, PREFIX, tokenHash, LINK_LIFE, LONGEST));
    }

    /**
     * Makes the secret of a link that signs one browser in, once, within five minutes.
     *
     * @param tokenHash of a valid token
     */
    public String link(String tokenHash) {
        return store.write(transaction -> insert(transaction, LINK_PREFIX, tokenHash, Duration.ZERO, LINK_LIFE));
    }

    /** The hash of the token that a link was made with; empty if it was used or is too old. */
    public Optional<String> linked(String link) {
        return store.read(transaction -> PageSessionTable.tokenHash(transaction, Sha256.hex(link)));
    }

    /** Signs a browser in by a link, which ends with that; empty if it was used or is too old. */
    public Optional<String> follow(String link) {
        String hash = Sha256.hex(link);
        return store.write(transaction -> {
            Optional<String> tokenHash = PageSessionTable.tokenHash(transaction, hash);
            return tokenHash.isPresent() && PageSessionTable.delete(transaction, hash) == 1
                    ? Optional.of(insert(transaction, PREFIX, tokenHash.get(), LINK_LIFE, LONGEST))
                    : Optional.empty();
        });
    }

    /** @param least those of the same token that live longer than this are of the same sort; only so many stay */
    private String insert(Transaction transaction, String prefix, String tokenHash, Duration least, Duration life)
            throws SQLException {
        String secret = prefix + Tokens.secret(random);
        Instant now = LeaseClock.instant(transaction.now());
        PageSessionTable.deleteExpired(transaction, now);
        PageSessionTable.insert(transaction, Sha256.hex(secret), tokenHash, now.plus(life));
        PageSessionTable.deleteOldest(transaction, tokenHash, now.plus(least), now.plus(life), MAX_OF_TOKEN);
        return secret;
    }

    /** The hash of the token that a browser signed in with; empty if it is not signed in, or no longer. */
    public Optional<String> tokenHash(String secret) {
        long now = nanoTime.getAsLong();
        String hash = Sha256.hex(secret);
        synchronized (seen) {
            Seen known = seen.get(hash);
            if (known != null && now - known.nanos <= FRESH.toNanos()) {
                return Optional.of(known.tokenHash);
            }
            seen.remove(hash);
        }
        Optional<String> found = store.read(transaction -> PageSessionTable.tokenHash(transaction, hash));
        found.ifPresent(tokenHash -> {
            synchronized (seen) {
                seen.put(hash, new Seen(tokenHash, now));
            }
        });
        return found;
    }

    /** Signs a browser out: nobody else who has its secret can use it any more either. */
    public void end(String secret) {
        String hash = Sha256.hex(secret);
        store.write(transaction -> PageSessionTable.delete(transaction, hash));
        synchronized (seen) {
            seen.remove(hash);
        }
    }
}
