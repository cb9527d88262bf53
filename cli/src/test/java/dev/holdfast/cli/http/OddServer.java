package dev.holdfast.cli.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Takes one connection, reads the head of the request, and answers as it was told to. */
final class OddServer implements AutoCloseable {
    interface Behaviour {
        void answer(Socket socket) throws IOException, InterruptedException;
    }

    final CountDownLatch closing = new CountDownLatch(1);
    private final ServerSocket server;
    private final CompletableFuture<String> request = new CompletableFuture<>();

    OddServer(Behaviour behaviour) throws IOException {
        this(InetAddress.getByName("127.0.0.1"), behaviour);
    }

    OddServer(InetAddress address, Behaviour behaviour) throws IOException {
        server = new ServerSocket(0, 10, address);
        Thread.ofVirtual().start(() -> {
            try (Socket socket = server.accept()) {
                request.complete(head(socket.getInputStream()));
                behaviour.answer(socket);
            } catch (IOException | InterruptedException e) {
                request.completeExceptionally(e);
            }
        });
    }

    /** Sends this text and closes. */
    static OddServer saying(String answer) throws IOException {
        return new OddServer(socket -> socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8)));
    }

    HttpClient client() {
        return new HttpClient(new Address("127.0.0.1", server.getLocalPort(), ""));
    }

    int port() {
        return server.getLocalPort();
    }

    /** The head of the request that came. */
    String request() {
        return request.join();
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no whole request");
            }
            head.append((char) next);
        }
        return head.toString();
    }

    @Override
    public void close() throws IOException {
        closing.countDown();
        server.close();
    }
}
