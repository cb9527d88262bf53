package dev.holdfast.broker.verb;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Makes a record the arguments of a verb, and says what the verb is. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Definition {
    String name();

    /** What it does and when to use it, with an example that a model can act on. */
    String description();

    Nature nature();

    /** Where MCP offers it, besides {@link Toolset#ALL}. */
    Toolset[] toolsets() default {};

    /** MCP does not offer it at all: it is for people and programs, by command line or REST. */
    boolean forPeople() default false;
}
