/** The first page: what needs a person, who is working, and trends. */
@NullMarked
package dev.holdfast.broker.dashboard.overview;

import org.jspecify.annotations.NullMarked;
