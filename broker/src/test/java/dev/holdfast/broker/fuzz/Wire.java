package dev.holdfast.broker.fuzz;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A connection that sends bytes as they are, wrong ones too, and reads the answer. A new one is made when the broker closes it. */
final class Wire implements AutoCloseable {
    /** What came back. */
    record Response(int status, Map<String, String> headers, String body) {
        boolean json() {
            return headers.getOrDefault("content-type", "").startsWith("application/json");
        }
    }

    private final int port;
    private final Duration hangs;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    /** @param hangs when an answer counts as none */
    Wire(String url, Duration hangs) {
        port = URI.create(url).getPort();
        this.hangs = hangs;
    }

    int port() {
        return port;
    }

    /**
     * @throws java.net.SocketTimeoutException when no answer comes
     * @throws EOFException when the connection is closed without one
     */
    Response send(byte[] request, boolean head) throws IOException {
        boolean kept = socket != null;
        try {
            return exchange(request, head);
        } catch (EOFException | java.net.SocketException gone) {
            close();
            if (!kept) {
                throw gone;
            }
            return exchange(request, head); // a connection that was kept may have been closed meanwhile
        }
    }

    private Response exchange(byte[] request, boolean head) throws IOException {
        if (socket == null) {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(Math.toIntExact(hangs.toMillis()));
            in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
        }
        try {
            socket.getOutputStream().write(request);
            socket.getOutputStream().flush();
        } catch (IOException _) {
            // the broker may have answered and closed before it had read everything
        }
        Response response;
        do {
            response = response(head);
        } while (response.status() == 100);
        if (response.headers().getOrDefault("connection", "").equalsIgnoreCase("close")) {
            close();
        }
        return response;
    }

    private Response response(boolean head) throws IOException {
        String first = line();
        Map<String, String> headers = new HashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int status = Integer.parseInt(first.split(" ", 3)[1]);
        boolean empty = head || status == 204 || status == 304 || status < 200;
        return new Response(status, headers, empty ? "" : body(headers));
    }

    private String body(Map<String, String> headers) throws IOException {
        InputStream from = opened();
        if ("chunked".equals(headers.get("transfer-encoding"))) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
                all.write(from.readNBytes(size));
                line();
            }
            line();
            return all.toString(StandardCharsets.UTF_8);
        }
        String length = headers.get("content-length");
        byte[] bytes = length == null ? from.readAllBytes() : from.readNBytes(Integer.parseInt(length));
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        InputStream from = opened();
        StringBuilder line = new StringBuilder();
        for (int c = from.read(); c != '\n'; c = from.read()) {
            if (c < 0) {
                throw new EOFException("closed without an answer");
            }
            line.append((char) c);
        }
        return line.toString().strip();
    }

    private InputStream opened() throws IOException {
        if (in == null) {
            throw new EOFException("not connected");
        }
        return in;
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
            in = null;
        }
    }
}
