/** The broker's reviewer processes: {@code pool ...}. */
@NullMarked
package dev.holdfast.cli.pool;

import org.jspecify.annotations.NullMarked;
