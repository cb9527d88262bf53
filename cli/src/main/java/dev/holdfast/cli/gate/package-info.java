/** {@code gate}: is exactly this change approved? */
@NullMarked
package dev.holdfast.cli.gate;

import org.jspecify.annotations.NullMarked;
