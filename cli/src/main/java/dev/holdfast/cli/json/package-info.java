/** JSON, read and written with nothing that takes long to load. */
@NullMarked
package dev.holdfast.cli.json;

import org.jspecify.annotations.NullMarked;
