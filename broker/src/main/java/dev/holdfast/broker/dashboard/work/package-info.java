/** The backlog: what can be begun, who does what, what waits and why. */
@NullMarked
package dev.holdfast.broker.dashboard.work;

import org.jspecify.annotations.NullMarked;
