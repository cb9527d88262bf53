/** {@code demo}: the whole loop on a throw-away folder. */
@NullMarked
package dev.holdfast.cli.demo;

import org.jspecify.annotations.NullMarked;
