/** Changes made ready to be read: files by risk, lines with syntax colours, words that changed. */
@NullMarked
package dev.holdfast.broker.dashboard.diff;

import org.jspecify.annotations.NullMarked;
