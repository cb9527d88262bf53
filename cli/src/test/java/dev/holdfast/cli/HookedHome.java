package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.git.ShellWord;
import dev.holdfast.cli.hooks.AgentHost;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The home of somebody who uses coding agents. Hooks that are installed here are called as their hosts call them. */
final class HookedHome {
    private static final Pattern IDENTITY = Pattern.compile("your agent id is ([A-Za-z0-9-]+);");

    final Path folder;
    final Map<String, String> environment = new HashMap<>();

    HookedHome(Path folder, String url) {
        this.folder = folder;
        environment.put("HOME", folder.toString());
        environment.put("PATH", Objects.requireNonNull(System.getenv("PATH")));
        environment.put("HOLDFAST_URL", url);
        environment.put("HOLDFAST_DATA", folder.resolve("data").toString());
    }

    Ran command(String... words) {
        return Ran.command(environment, words);
    }

    Ran hooks(String... words) {
        return command(Stream.concat(Stream.of("hooks"), Stream.of(words)).toArray(String[]::new));
    }

    void claim(String resource, String holder, int seconds) {
        assertThat(command("claim", resource, "--holder", holder, "--ttl", "" + seconds)
                        .exitCode())
                .isZero();
    }

    /** The installed script, with an input that was recorded. */
    String script(AgentHost host, String mode, String recording) throws Exception {
        return scripted(host, mode, recorded(host, recording));
    }

    String scripted(AgentHost host, String mode, String event) throws Exception {
        Process process = start(host, mode);
        try (var input = process.getOutputStream()) {
            input.write(event.getBytes(StandardCharsets.UTF_8));
        }
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return answer.strip();
    }

    Process start(AgentHost host, String mode) throws IOException {
        return start(host, mode, folder);
    }

    /** @param where the folder that the session is in */
    Process start(AgentHost host, String mode, Path where) throws IOException {
        Path script = folder.resolve("." + host).resolve(AgentHost.SCRIPT);
        ProcessBuilder builder =
                new ProcessBuilder("sh", "-c", "sh " + ShellWord.quoted(script.toString()) + " " + host + " " + mode);
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_") || name.startsWith("XDG_"));
        builder.environment().putAll(environment);
        return builder.directory(where.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** The broker's door itself, as an http handler calls it. */
    String post(AgentHost host, String recording) throws Exception {
        return send(host, "", recorded(host, recording));
    }

    String send(AgentHost host, String query, String body) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            var answer = client.send(
                    HttpRequest.newBuilder(URI.create(environment.get("HOLDFAST_URL") + "/hooks/" + host + query))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            return answer.body();
        }
    }

    static String recorded(AgentHost host, String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(
                HookedHome.class.getResourceAsStream("/hooks/" + host + "/" + name + ".json"), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static List<Path> recordings(AgentHost host) throws Exception {
        return files(Path.of(Objects.requireNonNull(HookedHome.class.getResource("/hooks/" + host))
                .toURI()));
    }

    static String agentIn(String answer) {
        Matcher matcher = IDENTITY.matcher(answer);
        assertThat(matcher.find()).as(answer).isTrue();
        return matcher.group(1);
    }

    /** All that is in a file's folder. */
    static List<Path> beside(Path file) throws IOException {
        return files(Objects.requireNonNull(file.getParent()));
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }
}
