/** What a command is: its definition, its arguments, both parsers and the help. */
@NullMarked
package dev.holdfast.cli.command;

import org.jspecify.annotations.NullMarked;
