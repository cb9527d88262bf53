@NullMarked
package dev.holdfast.broker.hook;

import org.jspecify.annotations.NullMarked;
