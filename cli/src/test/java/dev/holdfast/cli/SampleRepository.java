package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.broker.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** A git repository in which people type git, which is a process of its own, and holdfast. */
final class SampleRepository {
    private static final String LAUNCHER = "holdfast.launcher";

    final Path folder;
    final Map<String, String> environment;
    private final Path program;
    private final String url;

    private SampleRepository(Path folder, Map<String, String> environment, Path program, String url) {
        this.folder = folder;
        this.environment = environment;
        this.program = program;
        this.url = url;
    }

    /**
     * Makes one with a commit.
     *
     * @param parent gets the repository and a folder bin with the program
     */
    static SampleRepository make(Path parent, String name, String url) throws Exception {
        Path bin = Files.createDirectories(parent.resolve("bin"));
        Path home = Files.createDirectories(parent.resolve("home"));
        Path program = Files.writeString(bin.resolve("holdfast"), """
                #!/bin/sh
                exec %s "$@"
                """.formatted(
                        Programs.inShell(Programs.commandLine("\"-Dholdfast.launcher=$0\""))));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, String> environment = new HashMap<>(Map.of(
                "PATH",
                bin + ":" + System.getenv("PATH"),
                "HOME",
                home.toString(),
                "LC_ALL",
                "C.UTF-8",
                "GIT_CONFIG_NOSYSTEM",
                "1",
                "HOLDFAST_URL",
                url));
        SampleRepository sample =
                new SampleRepository(Files.createDirectories(parent.resolve(name)), environment, program, url);
        sample.git("init", "-q", "-b", "main");
        Files.writeString(sample.folder.resolve(".git/config"), """
                [user]
                    name = Ann
                    email = ann@example.org
                [commit]
                    gpgSign = false
                [maintenance]
                    auto = false
                """, StandardOpenOption.APPEND);
        sample.write("README", "one\ntwo\nthree\n");
        sample.git("add", ".");
        sample.git("commit", "-q", "-m", "first");
        return sample;
    }

    SampleRepository at(Path other) {
        return new SampleRepository(other, environment, program, url);
    }

    Path write(String file, String text) throws IOException {
        return write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    Path write(String file, byte[] bytes) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.write(path, bytes);
    }

    /** Runs git, which must succeed. */
    String git(String... words) throws Exception {
        Ran ran = run("git", words);
        assertThat(ran.exitCode())
                .as("git %s: %s%s", String.join(" ", words), ran.out(), ran.err())
                .isZero();
        return ran.out().strip();
    }

    Ran tryGit(String... words) throws Exception {
        return run("git", words);
    }

    /** Types a command, which runs in this JVM: a start of one takes longer than most commands. Git's hooks start their own. */
    Ran holdfast(String... words) {
        return typed(environment, "", words);
    }

    /** The same, with another environment and with input. */
    Ran typed(Map<String, String> environment, String input, String... words) {
        String before = System.getProperty(LAUNCHER);
        System.setProperty(LAUNCHER, program.toString());
        try {
            return Ran.in(folder, environment, input, words);
        } finally {
            if (before == null) {
                System.clearProperty(LAUNCHER);
            } else {
                System.setProperty(LAUNCHER, before);
            }
        }
    }

    private Ran run(String program, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(words));
        Path out = Files.createTempFile("holdfast", "out");
        Path err = Files.createTempFile("holdfast", "err");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
            builder.environment().clear();
            builder.environment().putAll(environment);
            Process process = builder.redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            process.getOutputStream().close();
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            return new Ran(process.exitValue(), text(out), text(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    /** Hands in what is staged, or what the further words say. */
    String propose(String... words) {
        List<String> all = new ArrayList<>(List.of("gate", "--propose", "--intent", "a change", "--json"));
        all.addAll(List.of(words));
        Ran ran = holdfast(all.toArray(String[]::new));
        assertThat(ran.exitCode()).as(ran.out() + ran.err()).isZero();
        return String.valueOf(ran.json().text("review_id"));
    }

    /** Hands in what is staged as agents do: with a plain git diff. */
    String proposeAsAgentsDo() throws Exception {
        return proposeDiff(git("diff", "--cached") + "\n");
    }

    /** Hands in whatever text. */
    String proposeDiff(String diff) {
        Reply made = call(
                "create_review",
                Map.of(
                        "intent",
                        "a change",
                        "agent_type",
                        "codex",
                        "agent_role",
                        "proposer",
                        "phase",
                        "1",
                        "project",
                        folder.getFileName().toString(),
                        "diff",
                        diff,
                        "skip_diff_validation",
                        true));
        assertThat(made.accepted()).as(made.text()).isTrue();
        return String.valueOf(made.json().text("review_id"));
    }

    void commit(String message) throws Exception {
        git("add", "-A");
        git("commit", "-q", "-m", message);
    }

    void assertPasses(String... words) {
        Ran ran = gate(words);
        assertThat(ran.exitCode()).as(ran.err()).isZero();
    }

    /** Returns what it says. */
    String assertStopped(String... words) {
        Ran ran = gate(words);
        assertThat(ran.exitCode()).as(ran.out() + ran.err()).isEqualTo(8);
        return ran.err();
    }

    private Ran gate(String... words) {
        List<String> all = new ArrayList<>(List.of("gate"));
        all.addAll(List.of(words));
        return holdfast(all.toArray(String[]::new));
    }

    /** Somebody else claims it, reads it and approves. */
    void approve(String review) {
        Reply claimed = call("claim_review", Map.of("review_id", review, "reviewer_id", "bob"));
        call("get_proposal", Map.of("review_id", review, "caller_id", "bob"));
        Reply said = call(
                "submit_verdict",
                Map.of(
                        "review_id",
                        review,
                        "verdict",
                        "approved",
                        "reviewer_id",
                        "bob",
                        "claim_generation",
                        Objects.requireNonNull(claimed.json().number("claim_generation"))));
        assertThat(said.accepted()).as(said.text()).isTrue();
    }

    Reply call(String verb, Map<String, ?> input) {
        return Ran.door(url).call(verb, input);
    }
}
