/** {@code demo}: the whole workflow in a temporary folder. */
@NullMarked
package dev.holdfast.cli.demo;

import org.jspecify.annotations.NullMarked;
