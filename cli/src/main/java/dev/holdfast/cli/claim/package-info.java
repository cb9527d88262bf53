/** Claims on any resource: heartbeat, release, who. */
@NullMarked
package dev.holdfast.cli.claim;

import org.jspecify.annotations.NullMarked;
