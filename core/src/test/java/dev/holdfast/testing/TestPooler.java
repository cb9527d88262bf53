package dev.holdfast.testing;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real PgBouncer in front of a database. */
public final class TestPooler implements AutoCloseable {
    private final Path folder = TemporaryFolders.create();
    private final Process process;
    private final String address;

    /** @param settings extra lines of its configuration */
    public TestPooler(String database, String... settings) throws IOException {
        URI server = URI.create(database.substring("jdbc:".length()));
        int port = FreePort.find();
        List<String> lines = new ArrayList<>(List.of(
                "[databases]",
                "* = host=127.0.0.1 user=postgres port=" + server.getPort(), // auth_type any requires a user
                "[pgbouncer]",
                "listen_addr = 127.0.0.1",
                "listen_port = " + port,
                "unix_socket_dir =",
                "auth_type = any",
                "pool_mode = session"));
        lines.addAll(List.of(settings)); // of two values for a setting, the last counts
        Path file = Files.write(folder.resolve("pgbouncer.ini"), lines);
        List<String> command = new ArrayList<>(List.of("pgbouncer", "-q", file.toString()));
        if (System.getProperty("user.name").equals("root")) {
            folder.toFile().setReadable(true, false);
            folder.toFile().setExecutable(true, false);
            command.addAll(1, List.of("-u", "nobody"));
        }
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        address = database.replace(":" + server.getPort(), ":" + port);
        await().ignoreExceptions().until(() -> {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
        });
    }

    public String address() {
        return address;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        TestStore.delete(folder);
    }
}
