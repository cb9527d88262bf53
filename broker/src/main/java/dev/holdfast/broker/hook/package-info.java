/** Hooks of coding agents: they register sessions, keep claims alive and report lost ones. */
@NullMarked
package dev.holdfast.broker.hook;

import org.jspecify.annotations.NullMarked;
