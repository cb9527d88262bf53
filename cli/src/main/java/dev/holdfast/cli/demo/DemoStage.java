package dev.holdfast.cli.demo;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.IoReason;
import dev.holdfast.cli.broker.UserToken;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.terminal.Shell;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The demo's temporary folder with a broker and a repository, without any of the user's own settings. */
final class DemoStage implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("holdfast is ready on (http://\\S+)");
    /** Enough even for a busy machine. */
    private static final long PATIENCE_SECONDS = 60;
    /** More than the broker takes to stop cleanly. */
    private static final long STOPPING_SECONDS = 12;

    private static final String REPOSITORY = "lighthouse";

    private final Shell shell;
    private final String launcher;
    private final Path folder;
    private @Nullable Process broker;
    private @Nullable String url;
    private List<ProcessHandle> started = List.of();

    record Ended(int exitCode, String out, String err) {}

    private DemoStage(Shell shell, String launcher, Path folder) {
        this.shell = shell;
        this.launcher = launcher;
        this.folder = folder;
    }

    static DemoStage build(Shell shell) {
        String launcher = System.getProperty("holdfast.launcher");
        if (launcher == null) {
            throw Failure.invalid("the demo only works through the launcher: run 'holdfast demo'");
        }
        try {
            return new DemoStage(
                    shell, launcher, Files.createTempDirectory("holdfast-demo").toRealPath());
        } catch (IOException e) {
            throw Failure.failed("cannot create a temporary folder: " + IoReason.of(e), e);
        }
    }

    Path folder() {
        return folder;
    }

    String url() {
        if (url == null) {
            throw new IllegalStateException("not started");
        }
        return url;
    }

    long brokerPid() {
        return broker == null ? 0 : broker.pid();
    }

    BrokerClient door() {
        return BrokerClient.at(url(), UserToken.of(shell), Map.of());
    }

    /** An agent's own working tree. */
    Path tree(String agent) {
        return agent.equals("ann") ? folder.resolve(REPOSITORY) : folder.resolve(agent);
    }

    /** Starts the broker in its own session: Ctrl-C goes to the demo, which stops it cleanly. */
    void start() {
        try {
            Path log = folder.resolve("serve.log");
            Files.createDirectory(folder.resolve(REPOSITORY));
            Path config = Files.writeString(folder.resolve("config.json"), Json.write(Map.of("reviewer_pool", pool())));
            Process process = builder(
                            "broker",
                            folder,
                            List.of(
                                    Program.required(shell, "sh"),
                                    "-c",
                                    "if command -v setsid >/dev/null; then exec setsid \"$0\" \"$@\"; else exec \"$0\" \"$@\"; fi",
                                    launcher,
                                    "serve",
                                    "--port",
                                    "0",
                                    "--data",
                                    folder.resolve("data").toString(),
                                    "--config",
                                    config.toString()))
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            broker = process;
            url = await(process, log);
        } catch (IOException e) {
            throw Failure.failed("the broker could not be started: " + IoReason.of(e), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private Map<String, Object> pool() {
        return Map.of(
                "engine", "rules",
                "workspace_path", folder.resolve(REPOSITORY).toString(),
                "max_pool_size", 2,
                "scaling_ratio", 1,
                "spawn_cooldown_seconds", 1);
    }

    private static String await(Process process, Path log) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            Matcher ready = READY.matcher(Files.readString(log));
            if (ready.find()) {
                return ready.group(1);
            }
            if (process.waitFor(20, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                throw Failure.failed(
                        "the broker did not start: " + Files.readString(log).strip(), null);
            }
        }
    }

    /** Creates the repository, with a commit, two working trees and the gate. */
    void plant() {
        write("ann", "README.md", "# Lighthouse\n\nKeeps ships off the rocks.\n");
        write("ann", "lamp.py", "def shine():\n    return \"light\"\n");
        write(
                "ann",
                "test_lamp.py",
                "from lamp import shine\n\n\ndef test_shines():\n    assert shine() == \"light\"\n");
        git("ann", "init", "-q", "-b", "main");
        git("ann", "config", "user.name", "demo");
        git("ann", "config", "user.email", "demo@example.org");
        git("ann", "add", ".");
        git("ann", "commit", "-q", "-m", "A lighthouse");
        git("ann", "worktree", "add", "-q", "-b", "bob", tree("bob").toString());
        must(holdfast("ann", "hooks", "install", "--git", "--pre-commit"));
    }

    void write(String agent, String file, String text) {
        try {
            Files.writeString(tree(agent).resolve(file), text);
        } catch (IOException e) {
            throw Failure.failed("cannot write " + file + ": " + IoReason.of(e), e);
        }
    }

    /** Runs git, which must succeed. */
    void git(String agent, String... words) {
        must(tryGit(agent, words));
    }

    Ended tryGit(String agent, String... words) {
        return run(agent, "git", words);
    }

    Ended holdfast(String agent, String... words) {
        return run(agent, launcher, words);
    }

    Ended must(Ended ended) {
        if (ended.exitCode() != 0) {
            throw Failure.failed(
                    "the demo cannot continue: " + (ended.err().isBlank() ? ended.out() : ended.err()).strip(), null);
        }
        return ended;
    }

    private Ended run(String agent, String program, String... words) {
        List<String> command = new ArrayList<>(List.of(Program.required(shell, program)));
        command.addAll(List.of(words));
        try {
            Path out = Files.createTempFile(folder, "out", "");
            Path err = Files.createTempFile(folder, "err", "");
            Process process = builder(agent, tree(agent), command)
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw Failure.failed(String.join(" ", command) + " takes too long", null);
            }
            Ended ended = new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
            Files.delete(out);
            Files.delete(err);
            return ended;
        } catch (IOException e) {
            throw Failure.failed(program + " could not be run (" + e.getMessage() + "); is it installed?", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** The user's environment without the user's settings: the demo is the same everywhere. */
    private ProcessBuilder builder(String agent, Path where, List<String> command) {
        Map<String, String> environment = new HashMap<>(shell.environment());
        environment
                .keySet()
                .removeIf(name -> name.startsWith("GIT_")
                        || name.startsWith("BROKER_")
                        || (name.startsWith("HOLDFAST_") && !name.startsWith("HOLDFAST_JAVA_")));
        environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
        environment.put("GIT_CONFIG_NOSYSTEM", "1");
        environment.put("HOLDFAST_AGENT", agent);
        if (url != null) {
            environment.put("HOLDFAST_URL", url);
        }
        ProcessBuilder builder = new ProcessBuilder(command).directory(where.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder;
    }

    private static Failure interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return Failure.failed("interrupted", e);
    }

    /** Stops the broker, which ends its reviewers, and deletes the folder. */
    @Override
    public synchronized void close() {
        if (broker != null) {
            started = Stream.concat(Stream.of(broker.toHandle()), broker.descendants())
                    .toList();
            broker.destroy();
            try {
                broker.waitFor(STOPPING_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            started.forEach(ProcessHandle::destroyForcibly);
        }
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException _) {
            // checkGone reports it
        }
    }

    void checkGone() {
        List<Long> left = started.stream()
                .filter(ProcessHandle::isAlive)
                .map(ProcessHandle::pid)
                .toList();
        if (!left.isEmpty() || Files.exists(folder)) {
            throw Failure.failed("could not clean up everything: processes " + left + ", folder " + folder, null);
        }
    }
}
