/** The running service. */
@NullMarked
package dev.holdfast.broker;

import org.jspecify.annotations.NullMarked;
