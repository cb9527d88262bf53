/** Asking the broker: the HTTP interface, who calls, what came back, and how a command ends by it. */
@NullMarked
package dev.holdfast.cli.broker;

import org.jspecify.annotations.NullMarked;
