package dev.holdfast.broker.pool;

import dev.holdfast.broker.token.Token;
import dev.holdfast.review.pool.PoolReviewer;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates the identities of new reviewers: a name, an id that is unique across all runs of all brokers, and a token.
 */
final class NewReviewers {
    private final Launcher launcher;
    private final PoolReviewer.Host host;
    private final SecureRandom random;
    private final String session;
    private final AtomicInteger count = new AtomicInteger();

    /** The record holds only the token's hash. */
    record NewReviewer(PoolReviewer.New reviewer, Token token) {
        String id() {
            return reviewer.id();
        }
    }

    NewReviewers(Launcher launcher, PoolReviewer.Host host, SecureRandom random) {
        this.launcher = launcher;
        this.host = host;
        this.random = random;
        session = String.format("%08x", random.nextInt());
    }

    /** The id of this run of the broker; its reviewers' ids end with it. */
    String session() {
        return session;
    }

    /**
     * @param place where it works, and what it is bound to
     * @param broker the name under which its broker claims its own identity
     */
    NewReviewer next(Launcher.Place place, String broker) {
        String name = launcher.engine() + "-r" + count.incrementAndGet();
        Token token = Token.random(random);
        return new NewReviewer(
                new PoolReviewer.New(
                        name + "-" + session,
                        name,
                        session,
                        broker,
                        host,
                        place.project(),
                        place.folder(),
                        place.workspace().toString(),
                        token.hash()),
                token);
    }
}
