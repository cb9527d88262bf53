/** Calls to the broker: the HTTP interface, the caller's identity, replies and exit codes. */
@NullMarked
package dev.holdfast.cli.broker;

import org.jspecify.annotations.NullMarked;
