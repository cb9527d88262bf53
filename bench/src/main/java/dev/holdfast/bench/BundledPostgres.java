package dev.holdfast.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** PostgreSQL binaries from a library, for machines without an installed server. */
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
        SETTINGS.forEach(builder::setServerConfig); // the library passes -F; later options win
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
