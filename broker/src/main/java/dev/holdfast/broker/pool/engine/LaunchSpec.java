package dev.holdfast.broker.pool.engine;

import java.net.URI;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A reviewer's identity and place: everything an engine needs to start it.
 *
 * @param reviewer its id, such as {@code codex-r1-0a1b2c3d}
 * @param displayName what people call it, such as {@code codex-r1}
 * @param project the key of the only project it reviews, never a caller's spelling of it; null: any
 * @param mcp where it reaches the broker, such as {@code http://127.0.0.1:8321/mcp}
 * @param token proves its identity; must never be part of an argument
 * @param workspace the folder it may read
 * @param model the model, from the allowed ones
 * @param effort how hard the model thinks: low, medium or high
 * @param prompt the complete prompt
 */
public record LaunchSpec(
        String reviewer,
        String displayName,
        @Nullable String project,
        URI mcp,
        String token,
        Path workspace,
        String model,
        String effort,
        String prompt) {
    /** Must not begin with a dash: a program would take it for an option. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@\\[\\]-]{0,199}");

    private static final Pattern KEY = Pattern.compile("[a-z0-9]+");

    public static final Set<String> EFFORTS = Set.of("low", "medium", "high");

    public LaunchSpec {
        require("reviewer", reviewer, NAME.matcher(reviewer).matches());
        require(
                "project",
                String.valueOf(project),
                project == null || KEY.matcher(project).matches());
        require("model", model, NAME.matcher(model).matches());
        require("reasoning effort", effort, EFFORTS.contains(effort));
        if (!workspace.isAbsolute() && !Wsl.isDrivePath(workspace.toString())) {
            throw new UnusableLaunchException("workspace: " + workspace + " must be an absolute path");
        }
    }

    private static void require(String what, String value, boolean fine) {
        if (!fine) {
            throw new UnusableLaunchException(what + ": \"" + value
                    + "\" cannot be passed to a program; use letters, digits" + " and . _ : / @ [ ] -"
                    + (what.equals("reasoning effort") ? " (low, medium or high)" : ""));
        }
    }

    /** Omits the token, which must not be logged. */
    @Override
    public String toString() {
        return "LaunchSpec[" + reviewer + (project == null ? "" : " for " + project) + " in " + workspace + "]";
    }
}
