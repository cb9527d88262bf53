package dev.holdfast.rules;

import java.util.stream.Stream;

/** Something that no change should do. Finds where a change does it; has no other state. */
public interface Rule {
    /** Its name in settings and findings, such as {@code secrets}. */
    String name();

    Stream<Violation> check(Change change);
}
