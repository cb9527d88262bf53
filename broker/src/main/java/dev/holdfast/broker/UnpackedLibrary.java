package dev.holdfast.broker;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder into which SQLite's driver unpacks its native library. The driver leaves it to the JVM to delete that at the
 * end, but a broker that is told to stop ends without, so each would leave a megabyte in the folder for temporary files.
 */
final class UnpackedLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(UnpackedLibrary.class);
    private static final String PLACE = "org.sqlite.tmpdir";
    private static final String LIBRARY = "org.sqlite.lib.path";

    private final Optional<Path> folder;

    private UnpackedLibrary(Optional<Path> folder) {
        this.folder = folder;
    }

    /** Call before the first use of SQLite. A place that the user has chosen stays. */
    static UnpackedLibrary inOwnFolder() {
        if (System.getProperty(PLACE) != null || System.getProperty(LIBRARY) != null) {
            return new UnpackedLibrary(Optional.empty());
        }
        try {
            Path own = Files.createTempDirectory("holdfast-sqlite-");
            own.toFile().deleteOnExit(); // for a broker that cannot start
            System.setProperty(PLACE, own.toString());
            return new UnpackedLibrary(Optional.of(own));
        } catch (IOException e) {
            LOG.debug("no folder for SQLite's library; the driver will say so if it cannot have one", e);
            return new UnpackedLibrary(Optional.empty());
        }
    }

    void delete() {
        folder.ifPresent(own -> {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(own)) {
                for (Path file : files) {
                    Files.deleteIfExists(file);
                }
                Files.deleteIfExists(own);
            } catch (IOException e) {
                LOG.debug("cannot delete {}", own, e);
            }
        });
    }
}
