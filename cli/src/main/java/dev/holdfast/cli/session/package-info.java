/** Who calls: {@code session ...} and {@code token show}. */
@NullMarked
package dev.holdfast.cli.session;

import org.jspecify.annotations.NullMarked;
