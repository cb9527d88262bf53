package dev.holdfast.broker;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Somebody who listens on a real socket and answers every call in the same way, however badly. */
public final class Endpoint implements AutoCloseable {
    private static final Duration DRIP = Duration.ofMillis(50);

    private final ServerSocket socket;
    private final String beginning;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger hungUp = new AtomicInteger();
    private volatile @Nullable String forEver;
    private volatile Duration pause = Duration.ZERO;

    private Endpoint(String beginning) {
        this.beginning = beginning;
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::listen);
    }

    /** Sends this and nothing more, and keeps the line open. */
    public static Endpoint thatAnswers(String text) {
        return new Endpoint(text);
    }

    public Endpoint andThenForEver(String text) {
        forEver = text;
        return this;
    }

    public Endpoint andThenSlowlyForEver(String text) {
        pause = DRIP;
        return andThenForEver(text);
    }

    public String url() {
        return "http://127.0.0.1:" + socket.getLocalPort() + "/done";
    }

    /** How many have called. */
    public int calls() {
        return calls.get();
    }

    /** Until all who called have gone. */
    public void awaitHungUp() {
        await().until(() -> calls.get() > 0 && hungUp.get() == calls.get());
    }

    private void listen() {
        try {
            while (true) {
                Socket caller = socket.accept();
                calls.incrementAndGet();
                Thread.ofVirtual().start(() -> answer(caller));
            }
        } catch (IOException _) {
            // closed
        }
    }

    private void answer(Socket caller) {
        try (caller;
                InputStream in = caller.getInputStream();
                OutputStream out = caller.getOutputStream()) {
            Thread.ofVirtual().start(() -> say(out));
            while (in.read() >= 0) {
                // whatever it has to say
            }
        } catch (IOException _) {
            // it is gone, which is what is looked for
        }
        hungUp.incrementAndGet();
    }

    private void say(OutputStream out) {
        try {
            out.write(beginning.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            while (forEver != null) {
                out.write(forEver.getBytes(StandardCharsets.US_ASCII));
                LockSupport.parkNanos(pause.toNanos());
            }
        } catch (IOException _) {
            // nobody listens any more
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
