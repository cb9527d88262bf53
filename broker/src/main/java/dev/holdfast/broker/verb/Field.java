package dev.holdfast.broker.verb;

import dev.holdfast.claim.Kind;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes a component of an arguments or result record to callers, and says what to check. The rest comes from the
 * component: its name in snake_case, its type, and by {@code @Nullable} whether it may be left out. In arguments,
 * lists, booleans and durations may always be left out and are then empty, false and zero. A component without this
 * annotation is described by its name. For a field that several records share, define an annotation that carries this
 * one.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.ANNOTATION_TYPE})
public @interface Field {
    /** Stands for the component's name. */
    String ITS_NAME = "\0";

    /**
     * The description. {@code {page}} stands for the default page size, {@code {kinds}} for the kinds that can be
     * claimed.
     */
    String value() default ITS_NAME;

    /** Used instead of the component's name where Java does not allow that name. */
    String name() default "";

    /** The minimum of a number. */
    long min() default 0;

    /** The maximum of a number, or of a list's entries. */
    long max() default Long.MAX_VALUE;

    /**
     * The maximum length of a text, or of each text in a list; 0: 200, or much more for a field described only by its
     * name.
     */
    int longest() default 0;

    /** The maximum of a number, or of a text's length, if the configuration sets it. */
    Limit upTo() default Limit.NONE;

    /** The only texts allowed; for an enum, excludes its other constants. */
    String[] words() default {};

    /** The enum whose words are the only texts allowed, if the component itself is a text. */
    Class<?> wordsOf() default void.class;

    /** The schema lists the words, but others are accepted here: the verb refuses them with its own message. */
    boolean open() default false;

    /** Whether a text must not be blank. */
    boolean filled() default false;

    /** Whether it names the caller: nobody can act as somebody else. */
    boolean actor() default false;

    /** The kind of resource whose id or ids this is, which may be abbreviated. Empty: not an id. */
    Kind[] idOf() default {};

    /** Whether a list is required. */
    boolean must() default false;

    /** In a result: present, but null when there is no value. */
    boolean orNull() default false;

    /** Schemas describe it only as a JSON object: the full text would appear in a dozen of them. */
    boolean brief() default false;

    /** The record that describes each entry of a list that is stored as JSON and returned unchanged. */
    Class<? extends Record> listOf() default Record.class;

    /** An example value, as JSON unless it is a text. */
    String example() default "";
}
