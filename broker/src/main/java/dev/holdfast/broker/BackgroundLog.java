package dev.holdfast.broker;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of brokers in the background, which nobody rotates: when it grows too long, it is copied to the old log and
 * emptied. Whoever starts such a broker opens the log for appending, so it can be truncated while in use.
 *
 * @param max the maximum size in bytes, of the log and of the old one each
 */
record BackgroundLog(Path file, long max) {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundLog.class);
    private static final long MAX = 10L << 20;

    /** @param state the user's state folder */
    static BackgroundLog in(Path state) {
        return new BackgroundLog(state.resolve("serve.log"), MAX);
    }

    Path old() {
        return file.resolveSibling(file.getFileName() + ".1");
    }

    void trim() {
        try {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) > max) {
                // with its permissions: only this user may read it
                Files.copy(file, old(), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
                try (FileChannel log = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    log.truncate(0);
                }
            }
        } catch (IOException e) {
            LOG.warn("cannot shorten {}: {}", file, e.getMessage());
        }
    }
}
