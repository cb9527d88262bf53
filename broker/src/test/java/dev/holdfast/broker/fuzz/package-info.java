/** Inputs that nobody sane would send, many of them, at every door. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.broker.fuzz;
