@NullMarked
package dev.holdfast.task;

import org.jspecify.annotations.NullMarked;
