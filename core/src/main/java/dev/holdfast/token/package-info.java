/** Who of a team may call, and what: tokens with roles, projects and an end. */
@NullMarked
package dev.holdfast.token;

import org.jspecify.annotations.NullMarked;
