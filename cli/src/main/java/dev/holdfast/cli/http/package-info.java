/**
 * A small HTTP/1.1 client over a plain socket. The JDK's own takes 400 ms to start, more than everything else in a
 * command.
 */
@NullMarked
package dev.holdfast.cli.http;

import org.jspecify.annotations.NullMarked;
