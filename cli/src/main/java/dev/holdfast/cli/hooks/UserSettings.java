package dev.holdfast.cli.hooks;

import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.json.NotJsonException;
import dev.holdfast.cli.terminal.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the user's settings file says for a broker that a hook or bridge starts. */
record UserSettings(JsonObject root) {
    /** A missing or broken file counts as empty here; {@code serve} reports it. */
    static UserSettings of(Shell shell) {
        try {
            Path file = shell.configFolder().resolve("holdfast").resolve("config.json");
            return new UserSettings(JsonObject.of(Json.readWithComments(Files.readString(file))));
        } catch (IOException | NotJsonException none) {
            return new UserSettings(JsonObject.of(null));
        }
    }

    /** Whether such a broker requires its user's token. */
    boolean loopbackToken() {
        return "token".equals(root.object("server").text("loopback"));
    }
}
