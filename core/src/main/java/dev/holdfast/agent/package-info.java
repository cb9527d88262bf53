/** Who can hold claims: sessions of coding agents, people and processors, and what is known about each. */
@NullMarked
package dev.holdfast.agent;

import org.jspecify.annotations.NullMarked;
