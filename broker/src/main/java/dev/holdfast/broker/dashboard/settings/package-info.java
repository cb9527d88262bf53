/** The settings in force and where they come from, and the broker's health. */
@NullMarked
package dev.holdfast.broker.dashboard.settings;

import org.jspecify.annotations.NullMarked;
