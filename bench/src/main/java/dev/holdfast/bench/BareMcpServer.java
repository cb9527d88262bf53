package dev.holdfast.bench;

import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.HttpServletStatelessServerTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.Map;
import java.util.concurrent.Executors;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The MCP SDK for Java alone, in its own process: a tool that does nothing, on Jetty with virtual threads and over
 * streamable HTTP without sessions, like our broker; arguments are not checked.
 */
final class BareMcpServer {
    private BareMcpServer() {}

    public static void main(String[] given) throws Exception {
        HttpServletStatelessServerTransport transport = HttpServletStatelessServerTransport.builder()
                .messageEndpoint("/mcp")
                .build();
        Map<String, Object> text = Map.of("type", "string");
        Tool tool = Tool.builder(
                        "nothing", Map.of("type", "object", "properties", Map.of("resource", text, "holder", text)))
                .description("Does nothing")
                .build();
        McpServer.sync(transport)
                .serverInfo("bare", "1")
                .capabilities(ServerCapabilities.builder().tools(false).build())
                .validateToolInputs(false)
                .jsonSchemaValidator((_, _) -> ValidationResponse.asValid(""))
                .toolCall(
                        tool,
                        (_, _) -> CallToolResult.builder()
                                .addTextContent("done")
                                .isError(false)
                                .build())
                .build();
        QueuedThreadPool threads = new QueuedThreadPool();
        threads.setVirtualThreadsExecutor(Executors.newVirtualThreadPerTaskExecutor());
        Server server = new Server(threads);
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        ServletHolder holder = new ServletHolder(transport);
        holder.setAsyncSupported(true);
        context.addServlet(holder, "/*");
        server.setHandler(context);
        server.start();
        System.out.println("ready on http://127.0.0.1:" + connector.getLocalPort());
        server.join();
    }
}
