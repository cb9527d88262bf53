package dev.holdfast.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reserves a SQLite folder for one broker, or for one restore, with an operating-system lock, which ends with the
 * process.
 */
public final class FolderLock implements AutoCloseable {
    private final PrivateFolder folder;
    private final FileChannel channel;

    private FolderLock(PrivateFolder folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /**
     * Creates the folder if necessary.
     *
     * @throws InUseException if somebody else has reserved it
     */
    public static FolderLock take(Path folder) {
        return take(PrivateFolder.open(folder));
    }

    PrivateFolder folder() {
        return folder;
    }

    static FolderLock take(PrivateFolder in) {
        Path folder = in.path();
        try {
            Path file = in.file("holdfast.lock");
            // following a link could empty another file
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            FileLock lock = tryLock(channel);
            if (lock == null) {
                String holder = Files.readString(file).strip();
                channel.close();
                throw new InUseException("another broker is using " + folder
                        + (holder.isEmpty() ? "" : " (process " + holder + ")")
                        + "; use that one, stop it, choose another folder with --data,"
                        + " or use PostgreSQL, where several brokers share one database");
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)),
                    0);
            return new FolderLock(in, channel);
        } catch (IOException e) {
            String reason = e instanceof AccessDeniedException ? "permission denied" : e.getMessage();
            throw new StoreException("cannot use the folder " + folder + ": " + reason, e);
        }
    }

    private static @org.jspecify.annotations.Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException _) {
            return null; // this same process already holds it
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException _) {
            // the lock ends with the process anyway
        }
    }
}
