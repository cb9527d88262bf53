package dev.holdfast.testing;

import java.util.List;
import java.util.Optional;

/** Drives the product and says what is wrong with what it did. */
public interface Checker {
    /** The first thing that is wrong, if there is one. */
    Optional<String> objection(List<String> arguments) throws Exception;
}
