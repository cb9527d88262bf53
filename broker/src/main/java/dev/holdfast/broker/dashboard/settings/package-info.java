/** What is in force and where it comes from, and how the broker is. */
@NullMarked
package dev.holdfast.broker.dashboard.settings;

import org.jspecify.annotations.NullMarked;
