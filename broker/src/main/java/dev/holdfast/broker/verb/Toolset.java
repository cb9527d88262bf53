package dev.holdfast.broker.verb;

import java.util.List;

/** The verbs that one MCP address offers. An agent is given the address of its job: fewer tools are read and chosen better. */
public enum Toolset {
    /** All that an agent needs that takes work, changes code and has it reviewed. */
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

    /** With those that end in /mcp, because some clients rewrite every other address. */
    public List<String> paths() {
        return paths;
    }

    public boolean offers(Verb verb) {
        return verb.isIn(this);
    }
}
