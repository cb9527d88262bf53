/** Sessions and their agents. */
@NullMarked
package dev.holdfast.broker.verb.agents;

import org.jspecify.annotations.NullMarked;
