/** Real broker processes, killed, stopped and restarted under load. */
@NullMarked
package dev.holdfast.broker.crash;

import org.jspecify.annotations.NullMarked;
