/** The first page: what needs a person, who is at work, how it has gone. */
@NullMarked
package dev.holdfast.broker.dashboard.overview;

import org.jspecify.annotations.NullMarked;
