package dev.holdfast.cli.http;

import java.io.IOException;
import java.io.InputStream;

/** A body whose length is known in advance. */
final class FixedLengthBody extends Body {
    private long left;

    FixedLengthBody(InputStream in, long length) {
        super(in);
        this.left = length;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (left == 0) {
            return -1;
        }
        int count = some(bytes, offset, length, left);
        left -= count;
        return count;
    }
}
