/** Finds what is wrong or unsafe, and says what to do. */
@NullMarked
package dev.holdfast.broker.doctor;

import org.jspecify.annotations.NullMarked;
