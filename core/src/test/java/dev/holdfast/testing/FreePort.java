package dev.holdfast.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** A port on which nobody listens, for a program that cannot choose one itself. */
public final class FreePort {
    private static final int FIRST = 15_000;
    /** Below the ports that the system gives to clients: until a server listens there, a client's connection could take it. */
    private static final int END = 32_000;

    private FreePort() {}

    /** A port that nobody uses, and that the system gives to no client. */
    public static int find() {
        return find(FIRST, END);
    }

    /** As {@link #find()}, between these two, the last of which is not included. */
    static int find(int first, int end) {
        int start = ThreadLocalRandom.current().nextInt(first, end);
        return IntStream.concat(IntStream.range(start, end), IntStream.range(first, start))
                .filter(FreePort::isFree)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("all ports from " + first + " to " + end + " are in use"));
    }

    private static boolean isFree(int port) {
        try {
            new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
            return true;
        } catch (BindException _) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address of a broker that does not exist. */
    public static String url() {
        return "http://127.0.0.1:" + find();
    }
}
