package dev.holdfast.testing;

import java.util.List;
import java.util.Optional;

/** Exercises the product and reports what is wrong with the result. */
public interface Checker {
    /** The first problem, if there is one. */
    Optional<String> objection(List<String> arguments) throws Exception;
}
