/** Who may knock at the doors. */
@NullMarked
package dev.holdfast.broker.auth;

import org.jspecify.annotations.NullMarked;
