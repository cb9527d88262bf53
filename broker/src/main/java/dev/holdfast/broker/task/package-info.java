/** What a broker does for tasks by itself: it ends them, and does what is to be done then. */
@NullMarked
package dev.holdfast.broker.task;

import org.jspecify.annotations.NullMarked;
