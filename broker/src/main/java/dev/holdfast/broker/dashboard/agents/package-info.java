/** Who is at work, and who has gone quiet. */
@NullMarked
package dev.holdfast.broker.dashboard.agents;

import org.jspecify.annotations.NullMarked;
