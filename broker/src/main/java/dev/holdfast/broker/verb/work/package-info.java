/** The shared backlog, and reserved paths. */
@NullMarked
package dev.holdfast.broker.verb.work;

import org.jspecify.annotations.NullMarked;
