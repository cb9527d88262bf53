package dev.holdfast.broker.verb;

import java.util.List;

/**
 * The verbs that one MCP endpoint offers. Give an agent the endpoint for its job: a model reads fewer tools and chooses
 * better.
 */
public enum Toolset {
    /** Everything for an agent that claims work, changes code and has it reviewed. */
    CODER("/coder/mcp"),
    REVIEWS("/mcp", "/reviews/mcp"),
    WORK("/mcp/work", "/work/mcp"),
    TASKS("/mcp/tasks", "/tasks/mcp"),
    ALL("/mcp/all", "/all/mcp");

    private final List<String> paths;

    Toolset(String... paths) {
        this.paths = List.of(paths);
    }

    public String path() {
        return paths.getFirst();
    }

    /** Includes variants that end in /mcp, because some clients rewrite all other addresses. */
    public List<String> paths() {
        return paths;
    }

    public boolean offers(Verb verb) {
        return verb.isIn(this);
    }
}
