package dev.holdfast.cli.command;

import java.util.List;
import java.util.Map;

/**
 * All commands, as help shows them.
 *
 * @param groups the first word of commands that have two, and what these are for
 * @param footer what help says below the list
 */
public record Catalogue(List<Command> commands, Map<String, String> groups, String footer) {}
