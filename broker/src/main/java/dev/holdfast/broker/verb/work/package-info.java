/** Work: a backlog that many agents do together, and the files they change. */
@NullMarked
package dev.holdfast.broker.verb.work;

import org.jspecify.annotations.NullMarked;
