@NullMarked
package dev.holdfast.cli.terminal;

import org.jspecify.annotations.NullMarked;
