package dev.holdfast.testing;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Treats the start-up options of a PostgreSQL session as poolers do: drops them, or refuses the session. */
public final class StartupProxy extends TestProxy {
    private static final int PLAIN_SESSION = 196_608;

    /** What happens to the options. */
    public enum Options {
        LEFT_OUT,
        REFUSED
    }

    private final Options options;

    public StartupProxy(int serverPort, Options options) {
        super(serverPort);
        this.options = options;
    }

    @Override
    void connected(Socket client, Socket server) {
        Thread.ofVirtual().start(() -> serve(client, server));
    }

    private void serve(Socket client, Socket server) {
        try (client;
                server) {
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
            // one side is gone, so the other goes too
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Declines encryption, which clients ask for first. */
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
}
