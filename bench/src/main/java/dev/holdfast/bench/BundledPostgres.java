package dev.holdfast.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The PostgreSQL binaries that come as a library, for machines that have none installed. */
final class BundledPostgres extends PostgresServer {
    private final Path folder;
    private @Nullable EmbeddedPostgres server;

    BundledPostgres(Path folder) throws IOException {
        super(folder.resolve("data"));
        this.folder = folder;
    }

    @Override
    void start() throws Exception {
        var builder = EmbeddedPostgres.builder()
                .setPort(port())
                .setDataDirectory(data())
                .setCleanDataDirectory(false)
                .setOverrideWorkingDirectory(folder.toFile());
        SETTINGS.forEach(builder::setServerConfig); // it says -F by itself; what comes later counts
        server = builder.start();
    }

    @Override
    public void close() {
        try {
            if (server != null) {
                server.close();
            }
        } catch (IOException e) {
            System.err.println("PostgreSQL did not stop: " + e.getMessage());
        }
    }
}
