package dev.holdfast.bench;

/** P9, second half: MCP tool calls that claim and release, compared with a tool that does nothing on the bare SDK. */
final class McpAgents {
    static final String OURS = "holdfast, claim then release over MCP, tool calls";
    static final String BARE = "the bare MCP SDK for Java, a tool that does nothing";
    static final Goal GOAL = Goal.atLeast(0.6, OURS, BARE);

    private McpAgents() {}

    static long claimAndRelease(HttpConnection connection, int number, long until) throws Exception {
        String held = "{\"resource\":\"key:" + number + "\",\"holder\":\"agent-" + number + "\"";
        long calls = 0;
        while (System.nanoTime() < until) {
            String granted = call(connection, "/mcp/all", "claim", held + "}");
            call(
                    connection,
                    "/mcp/all",
                    "release",
                    held + ",\"claim_generation\":" + HttpAgents.generation(structured(granted)) + "}");
            calls += 2;
        }
        return calls;
    }

    static Outcome bare(Lab lab) throws Exception {
        try (RunningBroker server =
                RunningBroker.run(ChildJvm.of(BareMcpServer.class).command())) {
            return HttpAgents.rate(lab, server.url(), McpAgents::nothing);
        }
    }

    private static long nothing(HttpConnection connection, int number, long until) throws Exception {
        String arguments = "{\"resource\":\"key:" + number + "\",\"holder\":\"agent-" + number + "\"}";
        long calls = 0;
        while (System.nanoTime() < until) {
            call(connection, "/mcp", "nothing", arguments);
            calls++;
        }
        return calls;
    }

    private static String call(HttpConnection connection, String path, String tool, String arguments) throws Exception {
        String answer = HttpAgents.expect(
                200,
                connection.post(
                        path,
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                                + "\",\"arguments\":" + arguments + "}}"));
        // a refusal is not a protocol error
        if (!answer.contains("\"isError\":false") || answer.contains("\"structuredContent\":{\"error\"")) {
            throw new IllegalStateException(tool + " answered " + answer);
        }
        return answer;
    }

    /** The result as JSON; before it, the answer has the same as text. */
    private static String structured(String answer) {
        return answer.substring(answer.indexOf("\"structuredContent\""));
    }
}
