/** What happened (events, written with the change) and who must know at once (signals, sent after the commit). */
@NullMarked
package dev.holdfast.event;

import org.jspecify.annotations.NullMarked;
