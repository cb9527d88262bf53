@NullMarked
package dev.holdfast.cli.git;

import org.jspecify.annotations.NullMarked;
