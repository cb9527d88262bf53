package dev.holdfast.cli.hooks;

import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.git.ShellWord;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.json.NotJsonException;
import dev.holdfast.cli.terminal.Shell;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether Codex runs our hooks. It runs only hooks that its user has approved, and outside a terminal it does not even
 * ask.
 */
public enum CodexTrust {
    TRUSTED("codex trusts these hooks"),
    UNTRUSTED("codex will not run these hooks until you trust them: start codex in a terminal and choose 'Trust all and"
            + " continue' under 'Hooks need review' (codex exec never asks)"),
    UNSEEN(
            "codex does not see these hooks: its config.toml has hooks = false under [features], or, for project hooks, you"
                    + " have not trusted the folder in codex yet"),
    UNKNOWN(
            "could not ask codex whether it trusts these hooks (is it on the PATH?); it will not run them until you trust"
                    + " them in a terminal, under 'Hooks need review'");

    private static final int PATIENCE_SECONDS = 20;
    private static final int LIST = 2;

    private final String sentence;

    CodexTrust(String sentence) {
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }

    /**
     * Asks Codex itself, which knows all its settings.
     *
     * @param script the script that our hooks call
     */
    static CodexTrust ask(Shell shell, Path here, Path script) {
        Optional<Path> program = Program.named(shell, "codex").findFirst();
        if (program.isEmpty()) {
            return UNKNOWN;
        }
        // not run in the project's folder, which may be a stranger's; Codex is told about it below
        ProcessBuilder builder = new ProcessBuilder(program.get().toString(), "app-server")
                .directory(script.toAbsolutePath().getRoot().toFile());
        builder.environment().clear();
        builder.environment().putAll(shell.environment());
        try {
            Process codex =
                    builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
            Thread patience = Thread.ofVirtual().start(() -> endLater(codex));
            try (Writer requests = codex.outputWriter();
                    BufferedReader answers = codex.inputReader()) {
                send(requests, Map.of("id", 1, "method", "initialize", "params", Map.of("clientInfo", client())));
                send(requests, Map.of("method", "initialized"));
                Map<String, Object> cwds = Map.of("cwds", List.of(here.toString()));
                send(requests, Map.of("id", LIST, "method", "hooks/list", "params", cwds));
                return read(answers, script);
            } finally {
                patience.interrupt();
                codex.descendants().forEach(ProcessHandle::destroy);
                codex.destroy();
            }
        } catch (IOException e) {
            return UNKNOWN; // another version, which does not report this
        }
    }

    private static Map<String, Object> client() {
        return Map.of("name", "holdfast", "version", "1");
    }

    private static void endLater(Process codex) {
        try {
            if (!codex.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                codex.descendants().forEach(ProcessHandle::destroy);
                codex.destroy();
            }
        } catch (InterruptedException answered) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(Writer requests, Map<String, Object> message) throws IOException {
        requests.write(Json.write(message) + "\n");
        requests.flush();
    }

    private static CodexTrust read(BufferedReader answers, Path script) throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            JsonObject answer = object(line);
            Number id = answer.number("id");
            if (id != null && id.intValue() == LIST) {
                return answer.has("result") ? of(answer.object("result"), script) : UNKNOWN;
            }
        }
        return UNKNOWN;
    }

    private static JsonObject object(String line) {
        try {
            return JsonObject.of(Json.read(line));
        } catch (NotJsonException e) {
            return JsonObject.of(null);
        }
    }

    private static CodexTrust of(JsonObject list, Path script) {
        List<JsonObject> ours = list.objects("data").stream()
                .flatMap(folder -> folder.objects("hooks").stream())
                .filter(hook -> calls(hook.text("command"), script))
                .toList();
        if (ours.isEmpty()) {
            return UNSEEN;
        }
        return ours.stream()
                        .allMatch(hook -> !"untrusted".equals(hook.text("trustStatus"))
                                && !"modified".equals(hook.text("trustStatus"))
                                && !Boolean.FALSE.equals(hook.get("enabled")))
                ? TRUSTED
                : UNTRUSTED;
    }

    private static boolean calls(@Nullable String command, Path script) {
        return command != null && command.contains(ShellWord.quoted(script.toString()));
    }
}
