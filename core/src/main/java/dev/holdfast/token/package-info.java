/** Team tokens: who may call which verbs, in which projects, until when. */
@NullMarked
package dev.holdfast.token;

import org.jspecify.annotations.NullMarked;
