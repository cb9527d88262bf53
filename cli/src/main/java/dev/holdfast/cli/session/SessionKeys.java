package dev.holdfast.cli.session;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.IoReason;
import dev.holdfast.cli.broker.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The keys of sessions started on this machine, so that their user can end them from any terminal. Only that user can
 * read them.
 */
final class SessionKeys {
    private final Path folder;
    private final String broker;

    /** @param broker its address: each broker has its own sessions */
    SessionKeys(Path state, String broker) {
        folder = state.resolve("session-keys");
        this.broker = broker;
    }

    /** Null when the session was not started on this machine. */
    @Nullable
    String of(String session) {
        try {
            return Files.readString(file(session)).strip();
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw Failure.failed(
                    "cannot read the key of session " + session + " in " + file(session) + ": " + IoReason.of(e), e);
        }
    }

    void keep(String session, String key) {
        try {
            PrivateFiles.folder(folder);
            Files.writeString(PrivateFiles.file(file(session)), key + "\n");
        } catch (IOException e) {
            throw Failure.failed(
                    "cannot save the key of session " + session + ", which is needed to end it, in " + folder + ": "
                            + IoReason.of(e),
                    e);
        }
    }

    void forget(String session) {
        try {
            Files.deleteIfExists(file(session));
        } catch (IOException e) {
            // it is worthless now
        }
    }

    private Path file(String session) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest((broker + "\n" + session).getBytes(StandardCharsets.UTF_8));
            return folder.resolve(HexFormat.of().formatHex(hash));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
