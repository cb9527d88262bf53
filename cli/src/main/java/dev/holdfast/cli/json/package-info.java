/** JSON, read and written with the streaming core only. */
@NullMarked
package dev.holdfast.cli.json;

import org.jspecify.annotations.NullMarked;
