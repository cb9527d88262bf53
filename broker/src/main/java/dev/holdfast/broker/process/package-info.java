/** Programs that the broker runs. */
@NullMarked
package dev.holdfast.broker.process;

import org.jspecify.annotations.NullMarked;
