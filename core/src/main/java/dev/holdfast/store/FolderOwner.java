package dev.holdfast.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Checks whether a folder belongs to this user or to another. */
final class FolderOwner {
    /** Belongs to the user that runs this process, even if that user has no account. */
    private static final Path SELF = Path.of("/proc/self");

    private static final String ROOT = "root";

    private FolderOwner() {}

    /** @throws IOException if it belongs to another user. Root's folders are accepted: root can do anything anyway. */
    static void refuseOtherOwner(Path folder) throws IOException {
        String owner = Files.getOwner(folder).getName();
        Optional<String> self = self();
        if (self.isPresent() && !owner.equals(self.get()) && !owner.equals(ROOT)) {
            throw new IOException(folder + " belongs to " + owner
                    + ", who could read and change everything in it, but this process runs as "
                    + self.get() + "; use a folder of your own (--data, HOLDFAST_DATA, XDG_STATE_HOME), or take"
                    + " it over: sudo chown -R " + self.get() + " " + folder);
        }
    }

    private static Optional<String> self() throws IOException {
        return Files.exists(SELF)
                ? Optional.of(Files.getOwner(SELF).getName())
                : ProcessHandle.current().info().user();
    }
}
