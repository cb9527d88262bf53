/** One JSON file of settings, checked whole. */
@NullMarked
package dev.holdfast.broker.config;

import org.jspecify.annotations.NullMarked;
