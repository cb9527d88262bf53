/** Files that belong to other programs and to people; changed only where our own parts go. */
@NullMarked
package dev.holdfast.cli.settings;

import org.jspecify.annotations.NullMarked;
