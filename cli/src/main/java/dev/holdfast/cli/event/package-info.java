/** {@code events}. */
@NullMarked
package dev.holdfast.cli.event;

import org.jspecify.annotations.NullMarked;
