/** What happened to reviews and how reviewing goes: audit log, statistics, and dropping what is old. */
@NullMarked
package dev.holdfast.review.figures;

import org.jspecify.annotations.NullMarked;
