package dev.holdfast.broker.verb;

/** The verbs that one MCP address offers. An agent is given the address of its job: fewer tools are read and chosen better. */
public enum Toolset {
    REVIEWS("/mcp"),
    WORK("/mcp/work"),
    TASKS("/mcp/tasks"),
    ALL("/mcp/all");

    private final String path;

    Toolset(String path) {
        this.path = path;
    }

    public String path() {
        return path;
    }

    public boolean offers(Verb verb) {
        return verb.isIn(this);
    }
}
