/** Team tokens: who may call which verbs, in which projects, until when; browsers that signed in with one, and the forms they sent. */
@NullMarked
package dev.holdfast.token;

import org.jspecify.annotations.NullMarked;
