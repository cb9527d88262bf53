package dev.holdfast.broker.team;

import static org.awaitility.Awaitility.await;

import dev.holdfast.testing.FreePort;
import dev.holdfast.testing.Programs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The real HAProxy, with the configuration in {@code deploy/haproxy} except for addresses and files. */
final class Balancer implements AutoCloseable {
    private static final Path DEPLOY = Path.of("../deploy/haproxy");
    private static final Path PEM = Path.of("src/test/resources/dev/holdfast/broker/tls");

    private final Process process;
    private final Path log;
    private final int port;

    static void assumeInstalled() {
        Programs.assumeInstalled("haproxy", "Debian's package haproxy");
    }

    /** @param brokers the ports that they listen on */
    Balancer(Path folder, List<Integer> brokers) throws IOException {
        port = FreePort.find();
        log = folder.resolve("haproxy.log");
        Path both = folder.resolve("both.pem");
        Files.writeString(both, Files.readString(certificate()) + Files.readString(PEM.resolve("first.key.pem")));
        StringBuilder text = new StringBuilder(Files.readString(DEPLOY.resolve("haproxy.cfg"))
                .replace("bind :8321", "bind 127.0.0.1:" + port)
                .replace("/etc/haproxy/holdfast-busy.http", absolute(DEPLOY.resolve("holdfast-busy.http")))
                .replace("/etc/haproxy/holdfast.pem", both.toString())
                .replaceAll("    server .*\n", ""));
        for (int i = 0; i < brokers.size(); i++) {
            text.append("    server b%d 127.0.0.1:%d ssl verify required ca-file %s%n"
                    .formatted(i, brokers.get(i), absolute(certificate())));
        }
        Path file = Files.writeString(folder.resolve("haproxy.cfg"), text);
        process = new ProcessBuilder("haproxy", "-db", "-f", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        await().until(() -> !process.isAlive() || listens());
        if (!process.isAlive()) {
            throw new IOException("haproxy did not start: " + Files.readString(log));
        }
    }

    private boolean listens() {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /** The certificate that it presents to callers, and brokers present to it. */
    static Path certificate() {
        return PEM.resolve("first.cert.pem");
    }

    static Path key() {
        return PEM.resolve("first.key.pem");
    }

    private static String absolute(Path path) {
        return path.toAbsolutePath().normalize().toString();
    }

    URI address() {
        return URI.create("https://127.0.0.1:" + port);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
