/** What tests of all modules run on: a real PostgreSQL, stores on a clock that the test moves. */
@NullMarked
package dev.holdfast.testing;

import org.jspecify.annotations.NullMarked;
