/** Who can hold a claim: the sessions of coding agents, people, processors, and what is known of each. */
@NullMarked
package dev.holdfast.agent;

import org.jspecify.annotations.NullMarked;
