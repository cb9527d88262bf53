package dev.holdfast.cli.http;

import dev.holdfast.cli.http.HttpFailure.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;

/** One socket for one request, with a deadline that holds however slowly bytes trickle in. */
final class Connection extends InputStream {
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(3);

    private final Socket socket;
    private final InputStream in;
    private long deadline;

    private Connection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
    }

    /** Tries every address of the host in turn: "localhost" may be ::1 first, with the broker on 127.0.0.1. */
    static Connection to(Address address, TlsTrust trust) throws HttpFailure {
        IOException last = null;
        try {
            for (InetAddress candidate : InetAddress.getAllByName(address.host())) {
                Socket socket = new Socket();
                try {
                    socket.connect(new InetSocketAddress(candidate, address.port()), (int) CONNECT_PATIENCE.toMillis());
                    socket.setTcpNoDelay(true);
                    return new Connection(address.secure() ? trust.secured(socket, address) : socket);
                } catch (HttpFailure e) {
                    closeQuietly(socket);
                    throw e; // somebody else is at the other end
                } catch (IOException e) {
                    closeQuietly(socket);
                    last = e;
                }
            }
        } catch (UnknownHostException e) {
            throw new HttpFailure(Kind.NO_CONNECTION, "unknown host " + address.host(), e);
        }
        String reason = last == null || last.getMessage() == null ? "no address" : last.getMessage();
        throw new HttpFailure(Kind.NO_CONNECTION, reason, last);
    }

    /** The remote address. */
    InetSocketAddress peer() {
        return new InetSocketAddress(socket.getInetAddress(), socket.getPort());
    }

    void send(byte[] request) throws IOException {
        socket.getOutputStream().write(request);
    }

    /** From now on, reads fail when this time has passed. */
    void allow(Duration patience) {
        deadline = System.nanoTime() + patience.toNanos();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
            throw new SocketTimeoutException("the answer took too long");
        }
        socket.setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
        return in.read(bytes, offset, length);
    }

    @Override
    public void close() {
        closeQuietly(socket);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // nothing is lost: everything needed has been read
        }
    }
}
