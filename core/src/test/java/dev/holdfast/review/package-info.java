@NullMarked
package dev.holdfast.review;

import org.jspecify.annotations.NullMarked;
