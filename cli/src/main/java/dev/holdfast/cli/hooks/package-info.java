/** {@code hooks ...}: hooks in git and in coding agents. */
@NullMarked
package dev.holdfast.cli.hooks;

import org.jspecify.annotations.NullMarked;
