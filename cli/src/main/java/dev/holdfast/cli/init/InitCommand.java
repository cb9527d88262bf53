package dev.holdfast.cli.init;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.IoReason;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Messages;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.git.Repository;
import dev.holdfast.cli.server.BackgroundBroker;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.cli.terminal.Shell;
import dev.holdfast.git.GitFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sets up a repository in one step. */
public final class InitCommand {
    public static final Command DEFINITION = Command.define(
                    "init", "Set up this repository: MCP entries, hooks, the gate, instructions for agents.")
            .description("""
            Detects Claude Code, Codex, Gemini CLI and Cursor, shows what it would write, and asks before writing it. \
            Running it again changes nothing. --undo restores every file byte for byte; from a file that you have changed \
            since, it removes only what init added.""")
            .options(
                    Option.flag("--yes", "Do not ask."),
                    Option.flag("--undo", "Undo what init did in this working tree."),
                    Option.repeatable(
                            "--for",
                            "HOST",
                            "Only for this one: claude, codex, gemini or cursor. Default: all that are found."),
                    Option.flag("--no-hooks", "Do not install hooks for agents."),
                    Option.flag("--no-gate", "Do not install the git hooks that let only approved changes through."))
            .examples("holdfast init", "holdfast init --yes --for claude --no-gate", "holdfast init --undo")
            .runs(new Messages(InitCommand::run));

    private InitCommand() {}

    private static ExitCode run(Invocation invocation) {
        try {
            Repository repository = Repository.of(
                    invocation.shell().folder(), invocation.shell().environment());
            InitRecord record = InitRecord.in(repository.gitFolder());
            return invocation.arguments().has("--undo")
                    ? undo(invocation, repository, record)
                    : setUp(invocation, repository, record);
        } catch (GitFailure e) {
            throw Failure.invalid(e.text());
        }
    }

    private static ExitCode setUp(Invocation invocation, Repository repository, InitRecord record) {
        Arguments given = invocation.arguments();
        Shell shell = invocation.shell();
        PrintStream out = shell.out();
        List<Host> hosts = hosts(given, shell, repository);
        WrittenFiles files = WrittenFiles.of(
                repository, hosts, Program.name(shell), !given.has("--no-gate"), !given.has("--no-hooks"));
        InstalledHooks hooks = InstalledHooks.of(invocation, hosts);

        List<String> plan = new ArrayList<>(files.plan());
        plan.addAll(hooks.plan());
        if (plan.isEmpty()) {
            out.println("everything is in place in " + repository.top());
        } else {
            out.println("In " + repository.top() + ", " + found(hosts) + ", this will");
            plan.forEach(line -> out.println("  " + line));
            if (!given.has("--yes") && !confirmed(shell)) {
                shell.err().println("holdfast: nothing was written; to go ahead, answer y or add --yes");
                return ExitCode.FAILED;
            }
            files.write(record);
        }
        record.need(files.shared(!given.has("--no-gate")));
        new BackgroundBroker(invocation.broker().http(), shell).ensureRunning();
        out.println("the broker answers at " + invocation.broker().http().address()
                + " and knows this repository as the project "
                + Printable.of(invocation.broker().repository().orElseGet(repository::project)));
        hooks.install(record); // the broker is running, so they can be tested
        next(out, shell, hosts, !given.has("--no-gate"), repository.countUnpushed());
        return ExitCode.DONE;
    }

    private static void next(PrintStream out, Shell shell, List<Host> hosts, boolean gate, int unpushed) {
        out.println();
        out.println("Left to do:");
        hosts.forEach(host -> out.println("- " + host.next));
        out.println("- Stage what was written, and commit it."
                + (gate
                        ? " The gate requires a review of it, too: holdfast gate --propose --intent \"Set up Holdfast\""
                        : ""));
        if (gate && unpushed > 0) {
            out.println("- " + (unpushed == 1 ? "1 commit is" : unpushed + " commits are")
                    + " on no remote yet. The first push to an empty remote is checked for every commit, and those that nobody"
                    + " approved stop it. 'git push' then prints how to propose them all as one change or, for people,"
                    + " how to let them pass with --override.");
        }
        String connection = connection(shell);
        if (!connection.isEmpty()) {
            out.println("- The files name no address. Set " + connection + " wherever your agents and git run.");
        }
        if (Program.named(shell, "holdfast").findFirst().isEmpty()) {
            out.println("- holdfast is not on your PATH, so the files name " + Program.name(shell)
                    + ". Before you share them, link it into your PATH and run init again.");
        }
        out.println(
                "- Reviews need a reviewer: another agent or person ('holdfast review next'), or a pool (docs/pool.md).");
        out.println("To undo all of this: holdfast init --undo");
    }

    /** What leads to the broker from here. A token in HOLDFAST_TOKEN is a secret, and stays out. */
    private static String connection(Shell shell) {
        return Stream.of("HOLDFAST_URL", "HOLDFAST_TOKEN_FILE", "HOLDFAST_CA")
                .filter(name -> !shell.environment().getOrDefault(name, "").isEmpty())
                .map(name -> name + "=" + shell.environment().get(name))
                .collect(Collectors.joining(" "));
    }

    private static String found(List<Host> hosts) {
        return hosts.isEmpty()
                ? "where no coding agent was found"
                : "for "
                        + hosts.stream()
                                .map(host -> host.title)
                                .collect(Collectors.joining(", "))
                                .replaceFirst(", (?=[^,]*$)", " and ");
    }

    private static List<Host> hosts(Arguments given, Shell shell, Repository repository) {
        List<String> named = given.all("--for");
        if (named.isEmpty()) {
            return Arrays.stream(Host.values())
                    .filter(host -> host.isFound(shell, repository.top()))
                    .toList();
        }
        return named.stream()
                .map(name -> Arrays.stream(Host.values())
                        .filter(host -> host.toString().equals(name.toLowerCase(Locale.ROOT)))
                        .findFirst()
                        .orElseThrow(() ->
                                Failure.invalid("--for must be claude, codex, gemini or cursor, not '" + name + "'")))
                .distinct()
                .toList();
    }

    private static boolean confirmed(Shell shell) {
        shell.out().print("Write this? [y/N] ");
        shell.out().flush();
        StringBuilder answer = new StringBuilder();
        try {
            for (int c = shell.in().read(); c >= 0 && c != '\n'; c = shell.in().read()) {
                answer.append((char) c);
            }
        } catch (IOException e) {
            throw Failure.failed("cannot read your answer: " + IoReason.of(e), e);
        }
        shell.out().println();
        return List.of("y", "yes").contains(answer.toString().strip().toLowerCase(Locale.ROOT));
    }

    private static ExitCode undo(Invocation invocation, Repository repository, InitRecord record) {
        PrintStream out = invocation.shell().out();
        if (record.isEmpty()) {
            out.println("init has set up nothing in " + repository.top());
            return ExitCode.NOT_FOUND;
        }
        if (record.changedNothing()) {
            out.println("init has changed nothing in " + repository.top() + "; it found everything in place");
        }
        OtherWorkingTrees others = OtherWorkingTrees.of(repository);
        InstalledHooks.uninstall(invocation, record, others);
        WrittenFiles.undo(repository, record, others, out);
        record.delete();
        return ExitCode.DONE;
    }
}
