/** Changes, prepared for reading: files sorted by risk, syntax colours, changed words marked. */
@NullMarked
package dev.holdfast.broker.dashboard.diff;

import org.jspecify.annotations.NullMarked;
