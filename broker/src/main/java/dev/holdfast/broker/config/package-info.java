/** The settings, in one JSON file that is checked as a whole. */
@NullMarked
package dev.holdfast.broker.config;

import org.jspecify.annotations.NullMarked;
