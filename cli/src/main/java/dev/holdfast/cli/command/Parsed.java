package dev.holdfast.cli.command;

/** A command line that was understood. */
public record Parsed(Command command, Arguments arguments) {}
