package dev.holdfast.cli.command;

/** A successfully parsed command line. */
public record Parsed(Command command, Arguments arguments) {}
