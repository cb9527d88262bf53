/** Reviews: the predecessor's verbs, with its names, keys and texts, and what was added to them. */
@NullMarked
package dev.holdfast.broker.verb.reviews;

import org.jspecify.annotations.NullMarked;
