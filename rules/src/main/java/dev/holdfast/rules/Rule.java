package dev.holdfast.rules;

import java.util.stream.Stream;

/** Something that no change should do. Looks at a change and says where it does; knows nothing else. */
public interface Rule {
    /** What it is called in settings and findings, such as {@code secrets}. */
    String name();

    Stream<Violation> check(Change change);
}
