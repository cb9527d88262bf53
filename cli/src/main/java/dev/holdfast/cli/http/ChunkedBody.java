package dev.holdfast.cli.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** A body in chunks, put together again. What comes after the last chunk is left unread: the connection is not used again. */
final class ChunkedBody extends InputStream {
    private final InputStream in;
    private long leftInChunk;
    private boolean started;
    private boolean ended;

    ChunkedBody(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (leftInChunk == 0 && !ended) {
            nextChunk();
        }
        if (ended) {
            return -1;
        }
        int count = in.read(bytes, offset, (int) Math.min(length, leftInChunk));
        if (count < 0) {
            throw new EOFException("the connection was closed before the answer was complete");
        }
        leftInChunk -= count;
        return count;
    }

    private void nextChunk() throws IOException {
        if (started && !Head.line(in).isEmpty()) {
            throw Head.notHttp("a chunk is longer than it says", null);
        }
        started = true;
        String size = Head.line(in);
        int extension = size.indexOf(';');
        try {
            leftInChunk = Long.parseUnsignedLong((extension < 0 ? size : size.substring(0, extension)).strip(), 16);
        } catch (NumberFormatException e) {
            throw Head.notHttp("a chunk has no size", e);
        }
        if (leftInChunk < 0) {
            throw Head.notHttp("a chunk has an impossible size", null);
        }
        ended = leftInChunk == 0;
    }
}
