package dev.holdfast.testing;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Treats the start-up options of a PostgreSQL session as poolers do: leaves them out, or refuses the session. */
public final class StartupProxy implements AutoCloseable {
    private static final int PLAIN_SESSION = 196_608;

    /** What becomes of the options. */
    public enum Options {
        LEFT_OUT,
        REFUSED
    }

    private final ServerSocket listening;
    private final int serverPort;
    private final Options options;

    public StartupProxy(int serverPort, Options options) {
        this.serverPort = serverPort;
        this.options = options;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException _) {
                return; // closed
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort)) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            DataOutputStream out = new DataOutputStream(server.getOutputStream());
            byte[] startup = nextStartup(in, client);
            String text = new String(startup, StandardCharsets.UTF_8);
            if (options == Options.REFUSED && text.contains("options\0")) {
                refuse(client);
                return;
            }
            byte[] plain = text.replaceFirst("options\0[^\0]*\0", "").getBytes(StandardCharsets.UTF_8);
            out.writeInt(plain.length + 8);
            out.writeInt(PLAIN_SESSION);
            out.write(plain);
            out.flush();
            Thread back = Thread.ofVirtual().start(() -> pump(server, client));
            pump(client, server);
            back.join();
        } catch (IOException _) {
            // one side is gone: so is the other
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Says no to encryption, which clients ask for first. */
    private static byte[] nextStartup(DataInputStream in, Socket client) throws IOException {
        while (true) {
            byte[] rest = new byte[in.readInt() - 8];
            int code = in.readInt();
            in.readFully(rest);
            if (code == PLAIN_SESSION) {
                return rest;
            }
            client.getOutputStream().write('N');
        }
    }

    private static void refuse(Socket client) throws IOException {
        byte[] fields =
                "SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: options\0\0".getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(answer);
        out.writeByte('E');
        out.writeInt(fields.length + 4);
        out.write(fields);
        client.getOutputStream().write(answer.toByteArray());
        client.getOutputStream().flush();
    }

    private static void pump(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException _) {
            // one side is gone: so is the other
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
