package dev.holdfast.cli.command;

import java.util.List;
import java.util.Map;

/**
 * All commands, as help shows them.
 *
 * @param groups the first words of two-word commands, each with its purpose
 * @param footer what help prints below the list
 */
public record CommandList(List<Command> commands, Map<String, String> groups, String footer) {}
