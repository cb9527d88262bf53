package dev.holdfast.cli.command;

/** A successfully parsed command line. */
public record ParsedCommand(Command command, Arguments arguments) {}
