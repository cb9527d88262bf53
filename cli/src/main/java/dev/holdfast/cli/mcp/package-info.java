/** {@code mcp}: the bridge for clients that speak MCP over stdio. */
@NullMarked
package dev.holdfast.cli.mcp;

import org.jspecify.annotations.NullMarked;
