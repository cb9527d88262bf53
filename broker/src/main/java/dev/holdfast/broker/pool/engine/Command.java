package dev.holdfast.broker.pool.engine;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Runs any program as a reviewer, given its argument list in the config. No shell is involved, so a placeholder's value
 * always stays within its argument, whatever spaces or special characters it contains. A value cannot turn an argument
 * into an option either.
 */
public final class Command implements ReviewerEngine {
    private static final Set<String> PLACEHOLDERS =
            Set.of("reviewer_id", "display_name", "project", "mcp_url", "workspace", "model", "reasoning_effort");

    private final List<String> template;
    private final Set<String> handedOn;

    /**
     * @param template the program and its arguments
     * @param handedOn variables of the broker's environment to pass on to it
     * @throws UnusableLaunchException when the program is missing or a placeholder is unknown
     */
    public Command(List<String> template, Set<String> handedOn) {
        if (template.isEmpty() || template.getFirst().isBlank()) {
            throw new UnusableLaunchException("command: must name a program and its arguments, one word each");
        }
        Launch.checkProgram("command", template.getFirst());
        if (Placeholders.in(template.getFirst()).findAny().isPresent()) {
            throw new UnusableLaunchException("command: the program itself can't be a placeholder");
        }
        template.forEach(word -> Placeholders.refuseUnknown("command", word, PLACEHOLDERS));
        this.template = List.copyOf(template);
        this.handedOn = Set.copyOf(handedOn);
    }

    @Override
    public String name() {
        return "command";
    }

    @Override
    public Launch launch(LaunchSpec spec) {
        Map<String, String> values = Map.of(
                "reviewer_id", spec.reviewer(),
                "display_name", spec.displayName(),
                "project", Objects.requireNonNullElse(spec.project(), ""),
                "mcp_url", spec.mcp().toString(),
                "workspace", spec.workspace().toString(),
                "model", spec.model(),
                "reasoning_effort", spec.effort());
        return new Launch(
                template.stream().map(word -> filled(word, values)).toList(),
                ReviewerEnvironment.of(spec),
                ReviewerEnvironment.inherited(Set.of(), handedOn),
                spec.prompt(),
                spec.workspace());
    }

    private static String filled(String word, Map<String, String> values) {
        String filled = Placeholders.fill(word, values);
        if (filled.startsWith("-") && !word.startsWith("-")) {
            throw new UnusableLaunchException(
                    "command: " + word + " would become \"" + filled + "\", which a program would take for an option");
        }
        return filled;
    }
}
