/** What the palette finds: reviews, work items, tasks and agents. */
@NullMarked
package dev.holdfast.broker.dashboard.find;

import org.jspecify.annotations.NullMarked;
