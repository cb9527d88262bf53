package dev.holdfast.broker.verb;

import dev.holdfast.claim.Kind;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * How a component of a record of arguments or of a result is described to callers, and what is checked. The component says the
 * rest: its name in snake_case, its type, and whether it may be left out, by {@code @Nullable}. In arguments a list, a
 * boolean and a duration may be left out too and are then empty, false and zero. A component without this annotation is
 * described by its name. A field that several records have is an annotation of its own that has this one.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.ANNOTATION_TYPE})
public @interface Field {
    /** Stands for the component's name. */
    String ITS_NAME = "\0";

    /** What it is. {@code {page}} stands for the length of a list if none is asked for, {@code {kinds}} for what can be claimed. */
    String value() default ITS_NAME;

    /** In place of the component's name, where Java does not allow that one. */
    String name() default "";

    /** The smallest whole number. */
    long least() default 0;

    /** The largest number, or the most entries of a list. */
    long most() default Long.MAX_VALUE;

    /** Characters of a text, or of each text in a list, at most; 0: 200, or, of one that is described by its name, many. */
    int longest() default 0;

    /** The largest number, or the most characters of a text, where the configuration says so. */
    Limit upTo() default Limit.NONE;

    /** The only texts allowed; of an enum, not its other ones. */
    String[] words() default {};

    /** The enum whose words are the only texts allowed, where the component itself is a text. */
    Class<?> wordsOf() default void.class;

    /** The words are listed in the schema, but others pass: the verb refuses them with its own message. */
    boolean open() default false;

    /** A text that may not be blank. */
    boolean filled() default false;

    /** It names who calls: a caller can be nobody but itself. */
    boolean actor() default false;

    /** The kind of thing whose id this is, or whose ids it lists: a short form is accepted. Empty: not an id. */
    Kind[] idOf() default {};

    /** A list that may not be left out. */
    boolean must() default false;

    /** In a result: present, but null when there is no value. */
    boolean orNull() default false;

    /** Schemas only say that it is a JSON object: the same text would be in a dozen of them. */
    boolean brief() default false;

    /** The record that each entry of the list looks like, where it is stored as JSON and returned unchanged. */
    Class<? extends Record> listOf() default Record.class;

    /** A value such as callers give, as JSON unless it is a text. */
    String example() default "";
}
