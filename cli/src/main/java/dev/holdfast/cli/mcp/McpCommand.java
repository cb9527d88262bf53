package dev.holdfast.cli.mcp;

import dev.holdfast.cli.broker.BrokerDoor;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.server.BackgroundBroker;
import java.util.List;
import java.util.Map;

/** Connects an MCP client that talks over stdin and stdout to the broker. */
public final class McpCommand implements Command.Action {
    private static final Map<String, String> DOORS = Map.of(
            "coder", "/coder/mcp", "reviews", "/mcp", "work", "/mcp/work", "tasks", "/mcp/tasks", "all", "/mcp/all");

    public static final Command DEFINITION = new Command(
            "mcp",
            "Connect an MCP client that speaks stdio to the broker.",
            """
            Reads JSON-RPC messages from standard input, one per line, and prints the answers. Clients start this \
            themselves; clients that speak HTTP can use the broker's /mcp address directly. Ends when its input ends.""",
            List.of(),
            List.of(
                    Option.of("--door", "DOOR", "Which tools: coder, reviews, work, tasks or all. Default: reviews."),
                    Option.flag("--start", "Start a broker in the background when none answers.")),
            List.of("holdfast mcp", "holdfast mcp --door work --start"),
            new McpCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        String door = invocation.arguments().text("--door");
        String path = DOORS.get(door == null ? "reviews" : door);
        if (path == null) {
            throw Failure.invalid("--door must be coder, reviews, work, tasks or all, not '" + door + "'");
        }
        BrokerDoor broker = invocation.broker();
        McpBridge.Starting starting = invocation.arguments().has("--start")
                ? new BackgroundBroker(broker.http(), invocation.shell())::ensureRunning
                : () -> {};
        starting.ensureRunning();
        return new McpBridge(broker, path, starting, invocation.shell()).run();
    }
}
