package dev.holdfast.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A port on which nobody listens, for a program that cannot choose one itself. */
public final class FreePort {
    private FreePort() {}

    public static int find() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address of a broker that does not exist. */
    public static String url() {
        return "http://127.0.0.1:" + find();
    }
}
