package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.hooks.AgentHost;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A real host of coding agents: from npm, installed below {@code target} on first use, in somebody's home, with a scripted model.
 */
record RealHost(AgentHost host, HookedHome home, Path folder) {
    private static final String CODEX = "@openai/codex@0.166.0";
    private static final String CLAUDE = "@anthropic-ai/claude-code@2.1.325";

    static RealHost installed(AgentHost host, HookedHome home) throws Exception {
        Path folder = Files.createDirectories(Path.of("target", "hosts").toAbsolutePath());
        Path bin = folder.resolve("node_modules").resolve(".bin");
        try (FileChannel lock =
                        FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = lock.lock()) { // the other fork of the tests may want the same
            install(folder, bin);
        }
        home.environment.put("PATH", bin + ":" + System.getenv("PATH"));
        return new RealHost(host, home, bin);
    }

    private static void install(Path folder, Path bin) throws IOException, InterruptedException {
        if (!Files.exists(bin.resolve("claude"))) {
            Process npm = new ProcessBuilder(List.of(
                            "npm",
                            "install",
                            "--no-audit",
                            "--no-fund",
                            "--no-save",
                            "--prefix",
                            folder.toString(),
                            CODEX,
                            CLAUDE))
                    .redirectErrorStream(true)
                    .start();
            String output = new String(npm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(npm.waitFor()).as(output).isZero();
        }
    }

    /** One turn, without a terminal: the agent works until its model is done. */
    Process start(Path project, ScriptedModel model) throws IOException {
        Map<String, String> environment = new LinkedHashMap<>(home.environment);
        List<String> command = switch (host) {
            case CLAUDE -> {
                environment.put("ANTHROPIC_BASE_URL", model.url());
                environment.put("ANTHROPIC_API_KEY", "dummy");
                environment.put("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
                environment.put("DISABLE_AUTOUPDATER", "1");
                yield List.of(
                        program(), "-p", "--model", "claude-sonnet-4-5", "--allowedTools", "Bash,Write,mcp__holdfast");
            }
            case CODEX -> {
                environment.put("SCRIPTED_KEY", "dummy");
                configureCodex(project, model);
                yield List.of(program(), "exec", "--sandbox", "danger-full-access", "-m", "gpt-5.5", "-");
            }
        };
        ProcessBuilder builder = new ProcessBuilder(command).directory(project.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(home.folder.resolve("output").toFile())
                .start();
        try (Writer prompt = process.outputWriter()) {
            prompt.write("Make the parser strict");
        }
        return process;
    }

    /** The same, to its end. */
    void run(Path project, ScriptedModel model) throws Exception {
        Process process = start(project, model);
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).as(output()).isTrue();
            assertThat(process.exitValue()).as(output()).isZero();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** What it printed. */
    String output() throws IOException {
        return Files.readString(home.folder.resolve("output"));
    }

    private String program() {
        return folder.resolve(host.toString()).toString();
    }

    /** Its model, and that the folder is trusted; what it has written there itself stays. */
    void configureCodex(Path project, ScriptedModel model) throws IOException {
        Path file = Files.createDirectories(home.folder.resolve(".codex")).resolve("config.toml");
        if (Files.exists(file)) {
            return;
        }
        Files.writeString(file, """
                model_provider = "scripted"
                [model_providers.scripted]
                name = "scripted"
                base_url = "%s/v1"
                wire_api = "responses"
                env_key = "SCRIPTED_KEY"
                [projects."%s"]
                trust_level = "trusted"
                """.formatted(model.url(), project));
    }

    /** As somebody does who chooses "Trust all and continue" where Codex says that hooks need review. */
    void trustHooks(Path project) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(program(), "app-server");
        builder.environment().clear();
        builder.environment().putAll(home.environment);
        Process codex = builder.directory(project.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (Writer requests = codex.outputWriter();
                BufferedReader answers = codex.inputReader()) {
            ask(requests, answers, "initialize", Map.of("clientInfo", Map.of("name", "test", "version", "1")));
            JsonObject listed = ask(requests, answers, "hooks/list", Map.of("cwds", List.of(project.toString())));
            Map<String, Object> trusted = new LinkedHashMap<>();
            for (JsonObject hook : listed.objects("data").getFirst().objects("hooks")) {
                trusted.put(
                        String.valueOf(hook.text("key")),
                        Map.of("trusted_hash", String.valueOf(hook.text("currentHash"))));
            }
            assertThat(trusted).isNotEmpty();
            Map<String, Object> edit = Map.of("keyPath", "hooks.state", "value", trusted, "mergeStrategy", "upsert");
            ask(requests, answers, "config/batchWrite", Map.of("edits", List.of(edit)));
        } finally {
            codex.descendants().forEach(ProcessHandle::destroy);
            codex.destroy();
        }
    }

    private static JsonObject ask(Writer requests, BufferedReader answers, String method, Map<String, Object> params)
            throws Exception {
        requests.write(Json.write(Map.of("id", method, "method", method, "params", params)) + "\n");
        requests.flush();
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            JsonObject answer = JsonObject.of(Json.read(line));
            if (method.equals(answer.text("id"))) {
                assertThat(answer.has("result")).as(line).isTrue();
                return answer.object("result");
            }
        }
        throw new AssertionError("codex ended instead of answering " + method);
    }
}
