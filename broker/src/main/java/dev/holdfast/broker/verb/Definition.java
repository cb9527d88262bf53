package dev.holdfast.broker.verb;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a record as the arguments of a verb, and describes the verb. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Definition {
    String name();

    /** What it does and when to use it, with an example that a model can act on. */
    String description();

    VerbEffect effect();

    /** The toolsets in which MCP offers it, besides {@link Toolset#ALL}. */
    Toolset[] toolsets() default {};

    /** Whether MCP does not offer it at all: for people and programs only, on the command line or over REST. */
    boolean forPeople() default false;

    /** Whether it ends claims of others: whoever holds what it names, or a part of that, loses it. */
    boolean overrules() default false;
}
