/** The broker as a process: started in the background, or by the launcher. */
@NullMarked
package dev.holdfast.cli.server;

import org.jspecify.annotations.NullMarked;
