package dev.holdfast.cli.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** The body of an answer. One that ends early is an error, not a short answer. */
abstract class Body extends InputStream {
    final InputStream in;

    Body(InputStream in) {
        this.in = in;
    }

    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public abstract int read(byte[] bytes, int offset, int length) throws IOException;

    /** @param max how much of the body may be read */
    final int some(byte[] bytes, int offset, int length, long max) throws IOException {
        int count = in.read(bytes, offset, (int) Math.min(length, max));
        if (count < 0) {
            throw new EOFException("the connection was closed before the answer was complete");
        }
        return count;
    }
}
