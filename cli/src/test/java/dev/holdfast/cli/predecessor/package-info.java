@NullMarked
package dev.holdfast.cli.predecessor;

import org.jspecify.annotations.NullMarked;
