package dev.holdfast.cli.json;

/** A text is not one JSON document. The message says where it stops being one. */
public final class NotJsonException extends Exception {
    NotJsonException(String message) {
        super(message);
    }
}
