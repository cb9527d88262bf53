package dev.holdfast.agent;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a call, as far as known.
 *
 * @param name its identity; null: unknown, or one of several sessions of one process
 * @param sessions all that count as the caller, whatever name or token it presents: those of the calling process and of
 *     the processes that started it, nearest first; otherwise the one it names outside the call itself
 * @param engine what it is: claude, codex, person, ...; null: unknown
 * @param process the calling process; null: unknown
 */
public record Caller(
        Known known,
        @Nullable String name,
        List<String> sessions,
        @Nullable String engine,
        @Nullable String process) {
    /** How a caller is identified. */
    public enum Known {
        /** It presented a token that only it has. */
        TOKEN,
        /** It calls from the process of a session. */
        SESSION,
        /** By a name that it gives itself and nobody vouches for. */
        NAME,
        NOTHING;

        public static Known of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }

        /** Whether more than the caller's own word supports it. */
        public boolean vouched() {
            return switch (this) {
                case TOKEN, SESSION -> true;
                case NAME, NOTHING -> false;
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static final Caller UNKNOWN = new Caller(Known.NOTHING, null, List.of(), null, null);

    /**
     * A reviewer that a broker runs.
     *
     * @param sessions the sessions from whose processes its token was presented: none, unless somebody else has got
     *     hold of it
     */
    public static Caller ofToken(String reviewer, String engine, List<String> sessions) {
        return new Caller(Known.TOKEN, reviewer, sessions, engine, null);
    }

    public static Caller named(String name) {
        return new Caller(Known.NAME, name, List.of(), null, null);
    }

    /** The same caller, saying that it is a person. */
    public Caller asPerson() {
        return new Caller(known, name, sessions, RelatedAgents.PERSON, process);
    }

    /** Whether it is a person or, if nothing else is known, says so. */
    public boolean isPerson() {
        return RelatedAgents.PERSON.equals(engine);
    }

    /**
     * The same caller, which also gives this name in the call itself (null: none). What is known about it takes
     * precedence.
     */
    public Caller saying(@Nullable String said) {
        if (said == null) {
            return this;
        }
        return switch (known) {
            case TOKEN -> this;
            case SESSION ->
                name == null && sessions.contains(said) ? new Caller(known, said, sessions, engine, process) : this;
            case NAME, NOTHING -> new Caller(Known.NAME, said, sessions, null, process);
        };
    }
}
