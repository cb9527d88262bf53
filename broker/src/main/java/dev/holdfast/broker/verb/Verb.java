package dev.holdfast.broker.verb;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.BusyException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * An operation, defined once and offered at every door.
 *
 * @param description what it does and when to use it, with an example that a model can act on
 * @param toolsets where MCP offers it
 */
public record Verb(
        String name,
        String description,
        List<Field> arguments,
        List<Field> result,
        Nature nature,
        Handler handler,
        Set<Toolset> toolsets) {
    /** What a caller may expect of calling it, and of calling it twice. */
    public enum Nature {
        /** Changes nothing. */
        READ(true, false, true),
        /** Adds, extends or lets go; a repeat with the same request id or fence changes nothing more. */
        CHANGE(false, false, true),
        /** Takes one of several, or adds one more; a repeat may take or add another. */
        TAKE(false, false, false),
        /** Decides something for good; a repeat gives the same answer. */
        END(false, true, true);

        private final boolean readOnly;
        private final boolean destructive;
        private final boolean idempotent;

        Nature(boolean readOnly, boolean destructive, boolean idempotent) {
            this.readOnly = readOnly;
            this.destructive = destructive;
            this.idempotent = idempotent;
        }

        public boolean readOnly() {
            return readOnly;
        }

        public boolean destructive() {
            return destructive;
        }

        public boolean idempotent() {
            return idempotent;
        }
    }

    /** What the verb does with arguments that have been checked. */
    public interface Handler {
        Answer answer(Arguments arguments);
    }

    public Verb(
            String name,
            String description,
            List<Field> arguments,
            List<Field> result,
            Nature nature,
            Handler handler) {
        this(name, description, arguments, result, nature, handler, Set.of(Toolset.ALL));
    }

    /** The same verb, offered to MCP clients there, besides {@link Toolset#ALL}. */
    public Verb in(Toolset... offered) {
        Set<Toolset> all = EnumSet.of(Toolset.ALL, offered);
        return new Verb(name, description, arguments, result, nature, handler, Set.copyOf(all));
    }

    /** The same verb, not offered to MCP clients: it is for people, by command line or REST. */
    public Verb forPeople() {
        return new Verb(name, description, arguments, result, nature, handler, Set.of());
    }

    /** The same verb, done otherwise. */
    Verb handledBy(Handler other) {
        return new Verb(name, description, arguments, result, nature, other, toolsets);
    }

    /** Its name as people read it. */
    public String title() {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1).replace('_', ' ');
    }

    /** Checks the arguments and does it. Whatever the caller did wrong is a refusal, never an exception. */
    public Answer call(JsonNode given, Origin origin) {
        try {
            return handler.answer(Arguments.of(given, arguments, origin));
        } catch (InvalidException e) {
            return Answer.refused(RefusalCode.INVALID, String.valueOf(e.getMessage()))
                    .asBroken();
        } catch (RefusedException e) {
            return ClaimJson.refused(e);
        } catch (BusyException e) {
            return Answer.refused(RefusalCode.BUSY, String.valueOf(e.getMessage()));
        }
    }
}
