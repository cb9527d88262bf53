@NullMarked
package dev.holdfast.cli.call;

import org.jspecify.annotations.NullMarked;
