/** Which repository a call comes from, and what that means for its arguments. */
@NullMarked
package dev.holdfast.broker.repository;

import org.jspecify.annotations.NullMarked;
