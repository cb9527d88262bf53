/** What several pages show, prepared for their templates: times, leases, actors, states, charts. */
@NullMarked
package dev.holdfast.broker.dashboard.part;

import org.jspecify.annotations.NullMarked;
