package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.bench.Outcome.NotAvailable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** P12: how long a coding agent waits at every tool call; and {@link CommandCalls}. */
final class HookCalls {
    private static final String HOOK = "hook by the script";
    private static final String DOOR = "hook by curl, as an http handler";
    private static final String LIMIT = "plain curl of /healthz";

    private static final String INPUT = """
            {"session_id": "bench", "cwd": "/", "hook_event_name": "PostToolUse", "tool_name": "Bash", \
            "tool_input": {"command": "make"}, "tool_response": "ok", "tool_use_id": "call_1"}""";

    static final List<Goal> GOALS = Stream.concat(
                    Stream.of(Goal.atMost(1.5, HOOK, LIMIT), Goal.atMost(1.5, DOOR, LIMIT)),
                    CommandCalls.GOALS.stream())
            .toList();

    private HookCalls() {}

    static List<Entry> entries(Lab lab) {
        Stream<Entry> hooks = Stream.of(
                new Entry(HOOK, "us", () -> with(lab, (_, script) -> List.of("sh", script, "codex", "call"))),
                new Entry(LIMIT, "us", () -> with(lab, (url, _) -> List.of("curl", "-s", url + "/healthz"))),
                new Entry(
                        DOOR,
                        "us",
                        () -> with(
                                lab,
                                (url, _) -> List.of(
                                        "curl",
                                        "-s",
                                        "-H",
                                        "Content-Type: application/json",
                                        "--data-binary",
                                        "@-",
                                        url + "/hooks/claude"))));
        return Stream.concat(hooks, CommandCalls.entries(lab).stream()).toList();
    }

    /** The command to time, given the broker's address and the installed script. */
    private interface Timed {
        List<String> command(String url, String script);
    }

    private static Outcome with(Lab lab, Timed timed) throws Exception {
        String launcher = RunningBroker.launcher().orElse(null);
        if (launcher == null || Shell.answer("curl", "--version").isEmpty()) {
            return new NotAvailable("needs the launcher and curl");
        }
        Path folder = lab.folder();
        Path input = Files.writeString(folder.resolve("input.json"), INPUT);
        try (RunningBroker broker =
                RunningBroker.start(List.of("--data", folder.resolve("data").toString()))) {
            Map<String, String> home =
                    Map.of("HOME", folder.toString(), "CODEX_HOME", folder.toString(), "HOLDFAST_URL", broker.url());
            Shell.run(List.of(launcher, "hooks", "install", "--codex"), folder, home);
            List<String> command = timed.command(
                    broker.url(), folder.resolve("holdfast-hook.sh").toString());
            calls(command, input, lab.warmUp().toNanos());
            Stopwatch times = calls(command, input, lab.measured().toNanos());
            return Figure.of(Stopwatch.percentile(List.of(times), 0.5));
        } finally {
            Lab.delete(folder);
        }
    }

    private static Stopwatch calls(List<String> command, Path input, long nanos) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(input.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        Stopwatch times = new Stopwatch();
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            long start = System.nanoTime();
            if (builder.start().waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command) + " failed");
            }
            times.took(System.nanoTime() - start);
        }
        return times;
    }
}
