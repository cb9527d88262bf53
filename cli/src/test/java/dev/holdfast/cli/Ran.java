package dev.holdfast.cli;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.UserToken;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.json.NotJsonException;
import dev.holdfast.cli.terminal.Shell;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A command that was run in this JVM, and what came of it. */
record Ran(int exitCode, String out, String err) {
    static Ran command(Map<String, String> environment, String... words) {
        return with(environment, "", words);
    }

    static Ran with(Map<String, String> environment, String input, String... words) {
        return on(0, environment, input, words);
    }

    /** @param width columns of the terminal */
    static Ran onTerminal(int width, Map<String, String> environment, String... words) {
        return on(width, environment, "", words);
    }

    /** Typed in that folder. */
    static Ran in(Path folder, Map<String, String> environment, String input, String... words) {
        return on(0, environment, input, folder, words);
    }

    private static Ran on(int width, Map<String, String> environment, String input, String... words) {
        return on(width, environment, input, Path.of("/"), words);
    }

    private static Ran on(int width, Map<String, String> environment, String input, Path folder, String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Shell shell = shell(width, environment, input, out, err, folder);
        int exitCode = Main.run(shell, List.of(words)).number();
        return new Ran(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static Shell shell(
            int width, Map<String, String> environment, String input, OutputStream out, OutputStream err, Path folder) {
        Map<String, String> own = new HashMap<>(environment);
        own.putIfAbsent("HOME", "/nonexistent"); // nothing is to be kept at home
        return new Shell(
                own,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                () -> width,
                InstantSource.system(),
                folder);
    }

    /** One that nobody types at or reads. */
    static Shell shell(Map<String, String> environment) {
        OutputStream nowhere = OutputStream.nullOutputStream();
        return shell(0, environment, "", nowhere, nowhere, Path.of("/"));
    }

    /** A broker's door for whoever has no token. */
    static BrokerClient door(String url) {
        return BrokerClient.at(url, UserToken.of(shell(Map.of("HOME", "/nonexistent"))), Map.of());
    }

    /** The one document on the standard output. */
    JsonObject json() {
        try {
            return JsonObject.of(Json.read(out));
        } catch (NotJsonException e) {
            throw new AssertionError("not JSON: " + out, e);
        }
    }

    long generation() {
        Number generation = json().number("claim_generation");
        if (generation == null) {
            throw new AssertionError("no generation in " + out);
        }
        return generation.longValue();
    }
}
