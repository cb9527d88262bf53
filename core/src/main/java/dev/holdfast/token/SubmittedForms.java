package dev.holdfast.token;

import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Sha256;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Forms that browsers have submitted. Each has its own key: however often, and to whichever broker, it is sent, its
 * action happens at most once. A refused form may be sent again.
 */
public final class SubmittedForms {
    private static final Duration KEPT = Duration.ofDays(1);

    private static final Sql INSERT = Sql.of("""
            INSERT INTO sent_forms (key, done, sent_at) VALUES (:key, :done, :now) ON CONFLICT DO NOTHING
            """);

    private static final Sql FIND = Sql.of("SELECT done FROM sent_forms WHERE key = :key");

    private static final Sql DONE = Sql.of("UPDATE sent_forms SET done = :done WHERE key = :key");

    private static final Sql DELETE = Sql.of("DELETE FROM sent_forms WHERE key = :key");

    private static final Sql DELETE_OLD = Sql.of("DELETE FROM sent_forms WHERE sent_at < :before");

    /** The state of a form that somebody submits. */
    public enum FormStatus {
        /** Not submitted before; the caller must go on, and report how it ended. */
        NEW,
        /** Submitted before, and its end has not been reported. */
        BEGUN,
        DONE
    }

    private final Store store;
    private final InstantSource clock;

    public SubmittedForms(Store store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /**
     * @param by who sends it; a key is valid only for that person
     * @param form the form's content, including its key
     */
    public FormStatus begin(String by, String form) {
        Instant now = clock.instant();
        String whose = whose(by, form);
        return store.write(transaction -> {
            transaction.update(DELETE_OLD, p -> p.time("before", LeaseClock.micros(now.minus(KEPT))));
            int inserted = transaction.update(
                    INSERT, p -> p.text("key", whose).flag("done", false).time("now", LeaseClock.micros(now)));
            if (inserted > 0) {
                return FormStatus.NEW;
            }
            Optional<Boolean> done = transaction.first(FIND, p -> p.text("key", whose), row -> row.flag("done"));
            return done.orElse(false) ? FormStatus.DONE : FormStatus.BEGUN;
        });
    }

    /** @param done false if it was refused, and may be sent again */
    public void end(String by, String form, boolean done) {
        String whose = whose(by, form);
        store.write(transaction -> done
                ? transaction.update(DONE, p -> p.text("key", whose).flag("done", true))
                : transaction.update(DELETE, p -> p.text("key", whose)));
    }

    private static String whose(String by, String form) {
        return Sha256.hex(by + "\n" + form);
    }
}
