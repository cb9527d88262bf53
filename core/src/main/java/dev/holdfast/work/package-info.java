/** Work items: what there is to do, in which order, and who does it. Start at {@link dev.holdfast.work.WorkItems}. */
@NullMarked
package dev.holdfast.work;

import org.jspecify.annotations.NullMarked;
