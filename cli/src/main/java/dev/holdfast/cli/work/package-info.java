/** Work items: {@code claim}, {@code work ...}, and reserved paths. */
@NullMarked
package dev.holdfast.cli.work;

import org.jspecify.annotations.NullMarked;
