/** What a broker does for tasks by itself: it finalizes them and performs the actions that follow. */
@NullMarked
package dev.holdfast.broker.task;

import org.jspecify.annotations.NullMarked;
