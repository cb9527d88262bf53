/** Files that belong to other programs and to people, changed only where something of ours goes. */
@NullMarked
package dev.holdfast.cli.settings;

import org.jspecify.annotations.NullMarked;
