package dev.holdfast.cli.hooks;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.IoReason;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.git.Repository;
import dev.holdfast.cli.git.ShellWord;
import dev.holdfast.cli.terminal.Shell;
import dev.holdfast.git.GitFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Our hooks in one agent host: its settings, and the script that they call. */
final class AgentHooks {
    private static final String SELF_TEST = "{\"hook_event_name\":\"HoldfastSelfTest\"}";

    private final AgentHost host;
    private final Invocation invocation;
    private final AgentHost.HookOptions wanted;
    private final Path folder;
    private final Path script;
    private final SettingsFile settings;

    private AgentHooks(AgentHost host, Invocation invocation, AgentHost.HookOptions wanted, Path folder) {
        this.host = host;
        this.invocation = invocation;
        this.wanted = wanted;
        this.folder = folder;
        script = folder.resolve(AgentHost.SCRIPT);
        settings = new SettingsFile(folder.resolve(host.file(wanted.ofProject())));
    }

    static AgentHooks of(AgentHost host, Invocation invocation) {
        Arguments given = invocation.arguments();
        boolean ofProject = given.has("--project");
        if (ofProject && given.has("--user")) {
            throw Failure.invalid("use --user or --project, not both");
        }
        BrokerClient broker = invocation.broker();
        Path project = ofProject ? project(invocation) : Path.of("");
        Path folder = host.folder(invocation.shell(), project, ofProject);
        if (ofProject) {
            refuseLeadingOut(project, folder);
            refuseLeadingOut(project, folder.resolve(host.file(true)));
        }
        return new AgentHooks(
                host,
                invocation,
                new AgentHost.HookOptions(
                        broker.http().address().toString(),
                        given.has("--guard-paths"),
                        ofProject,
                        asksForToken(broker, invocation.shell())),
                folder);
    }

    /** A project's files may be a stranger's, and a link among them may lead to one of the user's own files. */
    private static void refuseLeadingOut(Path project, Path file) {
        try {
            if (Files.exists(file) && !file.toRealPath().startsWith(project.toRealPath())) {
                throw Failure.invalid(file + " is a link that points outside the project, to " + file.toRealPath()
                        + "; it was not followed. Remove the link, or use hooks for your own sessions: --user");
            }
        } catch (IOException e) {
            throw Failure.failed("cannot read " + file + ": " + IoReason.of(e), e);
        }
    }

    /** If no broker is running, it will require a token if it has left one for us, or if the user's settings say so. */
    private static boolean asksForToken(BrokerClient broker, Shell shell) {
        try {
            return broker.asksForToken();
        } catch (Failure none) {
            return broker.token().at(broker.http().address()) != null
                    || UserSettings.of(shell).loopbackToken();
        }
    }

    /** The top of the working tree, or this folder outside any. */
    private static Path project(Invocation invocation) {
        try {
            return Repository.of(invocation.shell().folder(), invocation.shell().environment())
                    .top();
        } catch (GitFailure none) {
            return invocation.shell().folder().toAbsolutePath();
        }
    }

    boolean isInstalled() {
        return !settings.text().ours().isEmpty();
    }

    ExitCode install() {
        PrintStream out = invocation.shell().out();
        boolean changed = settings.install(host.groups(script, wanted));
        changed |= writeScript();
        out.println((changed ? "installed " : "in place: ") + settings.path() + ", which calls " + script);
        warn(out);
        if (answers()) {
            selfTest(out);
        } else {
            out.println("no broker answers at " + wanted.url() + "; "
                    + (startsBroker()
                            ? "the next session will start one (to prevent that, install with --no-start)"
                            : "the hooks do nothing until one does"));
        }
        if (host == AgentHost.CODEX && changed) {
            out.println(CodexTrust.UNTRUSTED.sentence());
        }
        return ExitCode.DONE;
    }

    /** Like the script: only on this machine. */
    private boolean startsBroker() {
        return !invocation.arguments().has("--no-start") && wanted.url().matches("http://(127\\.|localhost|\\[::1]).*");
    }

    ExitCode uninstall() {
        boolean there = settings.uninstall();
        try {
            there |= Files.deleteIfExists(script);
            Files.deleteIfExists(folder); // if it is empty, it was created for us
        } catch (DirectoryNotEmptyException _) {
            // it has other files too
        } catch (IOException e) {
            throw Failure.failed("cannot remove " + script + ": " + IoReason.of(e), e);
        }
        invocation.shell().out().println((there ? "removed from " : "not installed: ") + settings.path());
        return ExitCode.DONE;
    }

    ExitCode check() {
        PrintStream out = invocation.shell().out();
        Map<String, String> there = settings.text().ours();
        if (there.isEmpty()) {
            out.println(settings.path() + ": not installed");
            return ExitCode.NOT_FOUND;
        }
        // run only our own script below, not what a project's files may have put in its place
        boolean whole = there.keySet().equals(host.groups(script, wanted).keySet()) && new HookScript(script).isOurs();
        out.println(settings.path() + ": "
                + (whole ? "in place" : "changed since it was installed; to fix it, run 'holdfast hooks install'"));
        warn(out);
        if (!whole) {
            return ExitCode.FAILED;
        }
        String other = otherAddress(there);
        if (other != null) {
            out.println("these hooks call " + other + ", not " + wanted.url()
                    + "; to change that, run 'holdfast hooks install', or check them with --url");
            return ExitCode.FAILED;
        }
        if (wanted.token() && there.values().stream().anyMatch(target -> target.startsWith("http"))) {
            out.println(
                    "the broker at " + wanted.url()
                            + " requires a token that some of these hooks do not send; to fix it, run 'holdfast hooks install'");
            return ExitCode.FAILED;
        }
        invocation.broker().openapi();
        selfTest(out);
        return host == AgentHost.CODEX ? checkTrust(out) : ExitCode.DONE;
    }

    /** The other broker that the installed hooks, or the script, call; null: they call the intended one. */
    private @Nullable String otherAddress(Map<String, String> there) {
        String own = host.address(wanted.url());
        for (String target : there.values()) {
            if (target.startsWith("http") && !target.split("\\?", 2)[0].equals(own)) {
                return target.split("/hooks/", 2)[0];
            }
        }
        String ofScript = new HookScript(script).filled("URL");
        return ofScript == null || ofScript.equals(ShellWord.quoted(wanted.url())) ? null : ofScript;
    }

    private ExitCode checkTrust(PrintStream out) {
        Path here = wanted.ofProject()
                ? folder.resolveSibling("")
                : invocation.shell().folder();
        CodexTrust trust =
                CodexTrust.ask(invocation.shell(), here.toAbsolutePath().normalize(), script);
        out.println(trust.sentence());
        return trust == CodexTrust.UNTRUSTED || trust == CodexTrust.UNSEEN ? ExitCode.FAILED : ExitCode.DONE;
    }

    private void warn(PrintStream out) {
        SettingsText text = settings.text();
        if (text.isOn("disableAllHooks")) {
            out.println("warning: \"disableAllHooks\" is on in " + settings.path() + ", so no hook runs");
        }
        if (text.has("allowedHttpHookUrls")) {
            out.println("warning: \"allowedHttpHookUrls\" in " + settings.path() + " must allow "
                    + host.address(wanted.url()));
        }
    }

    private boolean answers() {
        try {
            invocation.broker().openapi();
            return true;
        } catch (Failure failure) {
            if (failure.code().equals("unauthorized")) {
                throw failure;
            }
            return false;
        }
    }

    /** Runs the script as the host would, all the way to the broker and back. */
    private void selfTest(PrintStream out) {
        try {
            ProcessBuilder builder = new ProcessBuilder(
                    Program.required(invocation.shell(), "sh"), script.toString(), host.toString(), "call");
            builder.environment().clear();
            builder.environment().putAll(invocation.shell().environment());
            builder.environment().put("HOLDFAST_URL", wanted.url());
            Process process =
                    builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
            try (var input = process.getOutputStream()) {
                input.write(SELF_TEST.getBytes(StandardCharsets.UTF_8));
            }
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0 || !answer.contains("Holdfast answers " + host)) {
                throw Failure.failed(
                        "the broker is up, but " + script + " does not reach it (is curl on the PATH?)", null);
            }
            out.println("tested: the hooks reach the broker at " + wanted.url());
        } catch (IOException e) {
            throw Failure.failed("cannot run " + script + ": " + IoReason.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("interrupted", e);
        }
    }

    private boolean writeScript() {
        try {
            return new HookScript(script)
                    .write(Map.of(
                            "URL",
                            ShellWord.quoted(wanted.url()),
                            "START",
                            invocation.arguments().has("--no-start") ? "off" : "on",
                            "HOLDFAST",
                            ShellWord.quoted(Program.path(invocation.shell()))));
        } catch (IOException e) {
            throw Failure.failed("cannot write " + script + ": " + IoReason.of(e), e);
        }
    }
}
