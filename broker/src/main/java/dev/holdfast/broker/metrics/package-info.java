/** What Prometheus can ask. */
@NullMarked
package dev.holdfast.broker.metrics;

import org.jspecify.annotations.NullMarked;
