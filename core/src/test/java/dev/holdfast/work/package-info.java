@NullMarked
package dev.holdfast.work;

import org.jspecify.annotations.NullMarked;
