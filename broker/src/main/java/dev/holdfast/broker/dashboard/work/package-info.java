/** The backlog: what can be started, who is doing what, what waits and why. */
@NullMarked
package dev.holdfast.broker.dashboard.work;

import org.jspecify.annotations.NullMarked;
