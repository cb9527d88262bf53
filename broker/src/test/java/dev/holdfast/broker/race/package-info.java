/** Many agents, each a process of its own, race for the same work while processes, brokers and databases go away. */
@NullMarked
package dev.holdfast.broker.race;

import org.jspecify.annotations.NullMarked;
