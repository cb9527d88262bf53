package dev.holdfast.broker.git;

import java.util.zip.Deflater;

/** Zeros as git writes them in a binary patch: compressed a thousand times, in lines of 52 bytes. */
final class Zeros {
    private static final String DIGITS =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
    private static final int LINE = 52;

    private Zeros() {}

    static String compressed(long size) {
        StringBuilder lines = new StringBuilder();
        byte[] zeros = new byte[1 << 20];
        byte[] line = new byte[LINE];
        int filled = 0;
        try (Deflater deflater = new Deflater()) {
            for (long left = size; !deflater.finished(); ) {
                if (deflater.needsInput() && left > 0) {
                    int next = (int) Math.min(left, zeros.length);
                    deflater.setInput(zeros, 0, next);
                    left -= next;
                }
                if (left == 0) {
                    deflater.finish();
                }
                filled += deflater.deflate(line, filled, LINE - filled);
                if (filled == LINE || (deflater.finished() && filled > 0)) {
                    write(line, filled, lines);
                    filled = 0;
                }
            }
        }
        return lines.toString();
    }

    private static void write(byte[] line, int length, StringBuilder lines) {
        lines.append((char) (length <= 26 ? 'A' + length - 1 : 'a' + length - 27));
        for (int at = 0; at < length; at += 4) {
            long value = 0;
            for (int next = at; next < at + 4; next++) {
                value = value << 8 | (next < length ? line[next] & 0xff : 0);
            }
            char[] group = new char[5];
            for (int place = group.length - 1; place >= 0; place--) {
                group[place] = DIGITS.charAt((int) (value % DIGITS.length()));
                value /= DIGITS.length();
            }
            lines.append(group);
        }
        lines.append('\n');
    }
}
