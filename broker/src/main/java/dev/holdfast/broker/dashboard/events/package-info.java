/** What is happening, live, and what has happened. */
@NullMarked
package dev.holdfast.broker.dashboard.events;

import org.jspecify.annotations.NullMarked;
