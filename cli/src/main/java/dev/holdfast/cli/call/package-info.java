/** {@code call}: any verb, by its name. */
@NullMarked
package dev.holdfast.cli.call;

import org.jspecify.annotations.NullMarked;
