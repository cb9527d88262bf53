package dev.holdfast.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** A port on which nobody listens, for a program that cannot choose one itself. */
public final class FreePort {
    private FreePort() {}

    /**
     * A port that nobody uses, below those that the system gives to clients: until a server listens there, a client's
     * connection could take it.
     */
    public static int find() {
        int port = ThreadLocalRandom.current().nextInt(15_000, 32_000);
        while (!isFree(port)) {
            port++;
        }
        return port;
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
