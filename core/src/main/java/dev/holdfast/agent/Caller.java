package dev.holdfast.agent;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a call, as far as it is known.
 *
 * @param name who it is; null: nobody knows, or it is one of several sessions of one process
 * @param sessions all that count as the caller, whatever name it gives or token it shows: those of the process that called and
 *     of the ones that started it, the nearest first; else the one it names itself by beside the call
 * @param engine what it is: claude, codex, person, ...; null: not known
 * @param process that called; null: not known
 */
public record Caller(
        Known known,
        @Nullable String name,
        List<String> sessions,
        @Nullable String engine,
        @Nullable String process) {
    /** By what a caller is known. */
    public enum Known {
        /** It has shown a token that only it has. */
        TOKEN,
        /** It calls from the process of a session. */
        SESSION,
        /** By a name that it gives itself, which nobody vouches for. */
        NAME,
        NOTHING;

        public static Known of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }

        /** Whether there is more to it than what the caller says. */
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
     * @param sessions from whose processes its token is shown: none, unless somebody else has got hold of it
     */
    public static Caller ofToken(String reviewer, String engine, List<String> sessions) {
        return new Caller(Known.TOKEN, reviewer, sessions, engine, null);
    }

    public static Caller named(String name) {
        return new Caller(Known.NAME, name, List.of(), null, null);
    }

    /** The same caller, which says that it is a person. */
    public Caller asPerson() {
        return new Caller(known, name, sessions, Kinship.PERSON, process);
    }

    /** Whether it is a person, or says so where nobody knows better. */
    public boolean isPerson() {
        return Kinship.PERSON.equals(engine);
    }

    /** The same caller, which also gives this name in the call itself (null: none). What is known of it counts for more. */
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
