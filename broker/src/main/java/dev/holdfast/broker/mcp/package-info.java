/** The verbs as MCP tools, over streamable HTTP without sessions. */
@NullMarked
package dev.holdfast.broker.mcp;

import org.jspecify.annotations.NullMarked;
