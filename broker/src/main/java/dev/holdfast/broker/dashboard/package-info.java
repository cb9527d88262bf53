/**
 * The pages that people read and act on: rendered here, kept fresh by server-sent events, with actions that call the
 * verbs.
 */
@NullMarked
package dev.holdfast.broker.dashboard;

import org.jspecify.annotations.NullMarked;
