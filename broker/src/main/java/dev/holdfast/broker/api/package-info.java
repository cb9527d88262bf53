/** The verbs as REST, their OpenAPI document, server-sent events, health. */
@NullMarked
package dev.holdfast.broker.api;

import org.jspecify.annotations.NullMarked;
