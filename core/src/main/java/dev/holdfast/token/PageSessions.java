package dev.holdfast.token;

import dev.holdfast.store.LruMap;
import dev.holdfast.store.Sha256;
import dev.holdfast.store.Store;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * Browsers that have signed in with a token. What a browser keeps is a secret of its own that opens pages, never the token: a browser
 * sends its cookies to every port of a host. It ends when it is signed out, after 30 days, or with its token.
 *
 * <p>What was looked up counts for a second: so long a session that another broker has ended may still be taken here.
 */
public final class PageSessions {
    public static final Duration LONGEST = Duration.ofDays(30);

    /** Unlike any token's beginning. */
    public static final String PREFIX = "hfp_";

    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final int MOST_REMEMBERED = 1_000;

    private record Seen(String tokenHash, Instant at) {}

    private final Store store;
    private final InstantSource clock;
    private final SecureRandom random;

    private final Map<String, Seen> seen = new LruMap<>(MOST_REMEMBERED);

    PageSessions(Store store, InstantSource clock, SecureRandom random) {
        this.store = store;
        this.clock = clock;
        this.random = random;
    }

    /**
     * Signs a browser in.
     *
     * @param tokenHash of a token that is good
     * @return what the browser is to keep, told once
     */
    public String open(String tokenHash) {
        String secret = PREFIX + Tokens.secret(random);
        Instant now = clock.instant();
        store.write(transaction -> {
            PageSessionTable.deleteExpired(transaction, now);
            PageSessionTable.insert(transaction, Sha256.hex(secret), tokenHash, now.plus(LONGEST));
            return secret;
        });
        return secret;
    }

    /** The hash of the token that a browser signed in with; empty: it is not signed in, or not any more. */
    public Optional<String> tokenHash(String secret) {
        Instant now = clock.instant();
        String hash = Sha256.hex(secret);
        synchronized (seen) {
            Seen known = seen.get(hash);
            if (known != null && !now.isAfter(known.at.plus(FRESH)) && !now.isBefore(known.at)) {
                return Optional.of(known.tokenHash);
            }
            seen.remove(hash);
        }
        Optional<String> found = store.read(transaction -> PageSessionTable.tokenHash(transaction, hash, now));
        found.ifPresent(tokenHash -> {
            synchronized (seen) {
                seen.put(hash, new Seen(tokenHash, now));
            }
        });
        return found;
    }

    /** Signs a browser out: whoever else has what it kept can do nothing with it either. */
    public void end(String secret) {
        String hash = Sha256.hex(secret);
        store.write(transaction -> PageSessionTable.delete(transaction, hash));
        synchronized (seen) {
            seen.remove(hash);
        }
    }
}
