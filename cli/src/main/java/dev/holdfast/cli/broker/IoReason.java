package dev.holdfast.cli.broker;

import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Objects;

/** Says why a file could not be used: many of Java's exceptions have just the file's name as message. */
public final class IoReason {
    private IoReason() {}

    public static String of(Exception e) {
        return switch (e) {
            case UncheckedIOException wrapped -> of(Objects.requireNonNull(wrapped.getCause()));
            case NoSuchFileException _ -> "no such file";
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "it already exists";
            case NotDirectoryException _ -> "not a folder";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            case CharacterCodingException _ -> "not UTF-8 text";
            default -> e.getMessage() == null ? e.toString() : e.getMessage();
        };
    }
}
