package dev.holdfast.broker.mcp;

/** Text for a model. */
record TextContent(String type, String text) {
    static TextContent of(String text) {
        return new TextContent("text", text);
    }
}
