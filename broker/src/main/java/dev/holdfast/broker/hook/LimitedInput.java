package dev.holdfast.broker.hook;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The first bytes of a stream. Closing it leaves the stream open. */
final class LimitedInput extends FilterInputStream {
    private int left;
    private boolean ended;

    LimitedInput(InputStream whole, int limit) {
        super(whole);
        left = limit;
    }

    /** Whether more may follow. */
    boolean isCut() {
        return left == 0 && !ended;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        if (left == 0) {
            return -1;
        }
        int count = super.read(into, from, Math.min(most, left));
        ended |= count < 0;
        left -= Math.max(0, count);
        return count;
    }

    @Override
    public void close() {}
}
