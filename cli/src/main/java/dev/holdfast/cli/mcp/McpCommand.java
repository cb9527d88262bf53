package dev.holdfast.cli.mcp;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.server.BackgroundBroker;
import java.util.Map;
import java.util.Objects;

/** Connects an MCP client that talks over stdin and stdout to the broker. */
public final class McpCommand implements Command.Action {
    private static final Map<String, String> ENDPOINTS = Map.of(
            "coder", "/coder/mcp", "reviews", "/mcp", "work", "/mcp/work", "tasks", "/mcp/tasks", "all", "/mcp/all");

    public static final Command DEFINITION = Command.define(
                    "mcp", "Connect an MCP client that speaks stdio to the broker.")
            .description("""
            Reads JSON-RPC messages from standard input, one per line, and prints the answers. Clients start this \
            themselves; clients that speak HTTP can use the broker's /mcp address directly. Ends when its input ends.""")
            .options(
                    Option.of("--tools", "NAME", "Which tools: coder, reviews, work, tasks or all. Default: reviews."),
                    Option.of("--door", "NAME", "A synonym of --tools."),
                    Option.flag("--start", "Start a broker in the background when none answers."))
            .examples("holdfast mcp", "holdfast mcp --tools work --start")
            .runs(new McpCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        String given = invocation.arguments().text("--tools");
        String former = invocation.arguments().text("--door");
        String tools = given == null ? Objects.requireNonNullElse(former, "reviews") : given;
        String path = ENDPOINTS.get(tools);
        if (path == null) {
            throw Failure.invalid("--tools must be coder, reviews, work, tasks or all, not '" + tools + "'");
        }
        BrokerClient broker = invocation.broker();
        McpBridge.Starting starting = invocation.arguments().has("--start")
                ? new BackgroundBroker(broker.http(), invocation.shell())::ensureRunning
                : () -> {};
        starting.ensureRunning();
        return new McpBridge(broker, path, starting, invocation.shell()).run();
    }
}
