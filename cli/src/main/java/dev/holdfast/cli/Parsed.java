package dev.holdfast.cli;

/** A command line that was understood. */
record Parsed(Command command, Arguments arguments) {}
