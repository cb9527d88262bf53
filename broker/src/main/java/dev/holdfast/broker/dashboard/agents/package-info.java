/** Who is working, and who has gone quiet. */
@NullMarked
package dev.holdfast.broker.dashboard.agents;

import org.jspecify.annotations.NullMarked;
