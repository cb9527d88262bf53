@NullMarked
package dev.holdfast.broker.pool;

import org.jspecify.annotations.NullMarked;
