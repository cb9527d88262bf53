package dev.holdfast.broker.pool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Passes a process's output to a listener, line by line, until it ends: a process whose output nobody reads blocks. A
 * line may have any length; long ones are passed on in parts.
 */
final class OutputPump {
    static final int LONGEST_PART = 8 * 1024;

    /** Receives a line, or a part of one. */
    interface Listener {
        void said(String text, boolean continued);
    }

    private final InputStream from;
    private final Listener listener;
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private final StringBuilder line = new StringBuilder();

    OutputPump(InputStream from, Listener listener) {
        this.from = from;
        this.listener = listener;
    }

    /** Runs until the output ends. */
    void run() {
        ByteBuffer bytes = ByteBuffer.allocate(LONGEST_PART);
        CharBuffer text = CharBuffer.allocate(LONGEST_PART);
        try (from) {
            int count = 0;
            while (count >= 0) {
                count = from.read(bytes.array(), bytes.position(), bytes.remaining());
                bytes.position(bytes.position() + Math.max(count, 0)).flip();
                decoder.decode(bytes, text, count < 0);
                bytes.compact(); // an incomplete character waits for the rest
                take(text.flip());
                text.clear();
            }
        } catch (IOException _) {
            // the process has ended, and its pipe is closed
        }
        if (!line.isEmpty()) {
            hand(false);
        }
    }

    private void take(CharBuffer text) {
        while (text.hasRemaining()) {
            char next = text.get();
            if (next == '\n') {
                hand(false);
            } else if (next != '\r') {
                if (line.length() >= LONGEST_PART && !Character.isLowSurrogate(next)) {
                    hand(true);
                }
                line.append(next);
            }
        }
    }

    private void hand(boolean continued) {
        listener.said(line.toString(), continued);
        line.setLength(0);
    }
}
