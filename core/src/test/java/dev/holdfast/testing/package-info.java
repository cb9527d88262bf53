/** What the tests of all modules run on: a real PostgreSQL, and stores with a clock that the test moves. */
@NullMarked
package dev.holdfast.testing;

import org.jspecify.annotations.NullMarked;
