package dev.holdfast.broker.pool;

import dev.holdfast.broker.token.Token;
import dev.holdfast.review.pool.PoolReviewer;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Reviewers that are about to be started: each gets a name, an id that no other run of a broker gives, and a token. */
final class NewReviewers {
    private final Launcher launcher;
    private final PoolReviewer.Host host;
    private final SecureRandom random;
    private final String session;
    private final AtomicInteger count = new AtomicInteger();

    /** Only the hash of the token is in what is known of the reviewer. */
    record Recruit(PoolReviewer.New reviewer, Token token) {
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

    /** This run of the broker; the ids of its reviewers end with it. */
    String session() {
        return session;
    }

    /**
     * One more.
     *
     * @param place where it is to work, and what it is bound to
     * @param broker under which its broker holds its own identity
     */
    Recruit next(Launcher.Place place, String broker) {
        String name = launcher.engine() + "-r" + count.incrementAndGet();
        Token token = Token.random(random);
        return new Recruit(
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
