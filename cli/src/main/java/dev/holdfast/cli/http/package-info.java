/**
 * A small HTTP/1.1 client over a plain socket. The JDK's own takes 400 ms to get going, which is more than everything else
 * that a command does.
 */
@NullMarked
package dev.holdfast.cli.http;

import org.jspecify.annotations.NullMarked;
