package dev.holdfast.bench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A kept-alive connection that does as little as possible: the caller's cost must not hide the server's. */
final class HttpConnection implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String host;

    HttpConnection(String url) throws IOException {
        URI address = URI.create(url);
        host = address.getAuthority();
        socket = new Socket(address.getHost(), address.getPort());
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** An answer of any status. */
    record Answer(int status, String body) {}

    Answer get(String path) throws IOException {
        out.write(("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
        return answer();
    }

    /** MCP servers require that both kinds of answer are accepted; it does no harm elsewhere. */
    Answer post(String path, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        String head = "POST " + path + " HTTP/1.1\r\nHost: " + host
                + "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream"
                + "\r\nContent-Length: " + body.length + "\r\n\r\n";
        byte[] request = new byte[head.length() + body.length];
        System.arraycopy(head.getBytes(StandardCharsets.ISO_8859_1), 0, request, 0, head.length());
        System.arraycopy(body, 0, request, head.length(), body.length);
        out.write(request);
        return answer();
    }

    private Answer answer() throws IOException {
        int status = Integer.parseInt(line().split(" ")[1]);
        int length = -1;
        boolean chunked = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            if (header.regionMatches(true, 0, "content-length:", 0, 15)) {
                length = Integer.parseInt(header.substring(15).strip());
            } else if (header.regionMatches(true, 0, "transfer-encoding: chunked", 0, 26)) {
                chunked = true;
            }
        }
        if (length < 0 && !chunked) {
            throw new IOException("an answer without a length");
        }
        return new Answer(status, new String(chunked ? chunks() : in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int length;
        do {
            length = Integer.parseInt(line().strip(), 16);
            all.write(in.readNBytes(length));
            line(); // the end of the chunk, or of the body
        } while (length > 0);
        return all.toByteArray();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the server hung up");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
