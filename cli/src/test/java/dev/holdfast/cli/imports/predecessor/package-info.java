@NullMarked
package dev.holdfast.cli.imports.predecessor;

import org.jspecify.annotations.NullMarked;
