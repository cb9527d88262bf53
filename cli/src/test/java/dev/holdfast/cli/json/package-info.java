@NullMarked
package dev.holdfast.cli.json;

import org.jspecify.annotations.NullMarked;
