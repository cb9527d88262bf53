package dev.holdfast.cli.settings;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.IoReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/** A text file that other programs read while we change it. */
public record TextFile(Path path) {
    /** Its text; null if there is no such file. */
    public @Nullable String read() {
        if (Files.exists(path) && !Files.isRegularFile(path)) { // reading a pipe would block until it is written to
            throw Failure.invalid(path + " is not a regular file; move it away first");
        }
        try {
            return Files.exists(path)
                    ? StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(Files.readAllBytes(path)))
                            .toString()
                    : null;
        } catch (CharacterCodingException e) {
            throw Failure.invalid(path + " is not UTF-8; fix that first");
        } catch (IOException e) {
            throw Failure.failed("cannot read " + path + ": " + IoReason.of(e), e);
        }
    }

    /** Atomic: a concurrent reader sees the old text or the new one. */
    public void write(String text) throws IOException {
        Files.createDirectories(path.toAbsolutePath().getParent());
        Path made = path.resolveSibling(path.getFileName() + ".holdfast-new");
        Files.deleteIfExists(made); // it may be a link to anywhere
        if (Files.exists(path)) {
            Files.copy(path, made, StandardCopyOption.COPY_ATTRIBUTES);
        }
        Files.writeString(made, text);
        Files.move(made, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
