package dev.holdfast.cli.http;

import java.io.IOException;
import java.io.InputStream;

/** A chunked body, joined. What follows the last chunk is left unread: the connection is not reused. */
final class ChunkedBody extends Body {
    private long leftInChunk;
    private boolean started;
    private boolean ended;

    ChunkedBody(InputStream in) {
        super(in);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (leftInChunk == 0 && !ended) {
            nextChunk();
        }
        if (ended) {
            return -1;
        }
        int count = some(bytes, offset, length, leftInChunk);
        leftInChunk -= count;
        return count;
    }

    private void nextChunk() throws IOException {
        if (started && !ResponseHead.line(in).isEmpty()) {
            throw ResponseHead.notHttp("a chunk is longer than it says", null);
        }
        started = true;
        String size = ResponseHead.line(in);
        int extension = size.indexOf(';');
        try {
            leftInChunk = Long.parseUnsignedLong((extension < 0 ? size : size.substring(0, extension)).strip(), 16);
        } catch (NumberFormatException e) {
            throw ResponseHead.notHttp("a chunk has no size", e);
        }
        if (leftInChunk < 0) {
            throw ResponseHead.notHttp("a chunk has an impossible size", null);
        }
        ended = leftInChunk == 0;
    }
}
