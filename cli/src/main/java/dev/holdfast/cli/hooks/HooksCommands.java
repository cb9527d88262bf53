package dev.holdfast.cli.hooks;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Messages;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.git.HookFile;
import dev.holdfast.cli.git.Repository;
import dev.holdfast.cli.http.Address;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.git.GitFailure;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Installs, checks and removes Holdfast's hooks in other programs. */
public final class HooksCommands {
    private static final List<Option> WHICH = List.of(
            Option.flag("--git", "The gate, in this folder's git repository."),
            Option.flag("--pre-commit", "With --git: only the pre-commit hook."),
            Option.flag("--pre-push", "With --git: only the pre-push hook."),
            Option.flag("--claude", "Hooks for Claude Code: sessions, heartbeats, notices."),
            Option.flag("--codex", "The same hooks for Codex."),
            Option.flag("--user", "With --claude, --codex: for all your sessions (default)."),
            Option.flag("--project", "With --claude, --codex: only for sessions in this folder's project."));

    private static final List<Option> HOW = Stream.concat(
                    WHICH.stream(),
                    Stream.of(
                            Option.flag("--guard-paths", "Refuse writes to paths that someone else has reserved."),
                            Option.flag("--no-start", "Do not start a broker when a session starts and none answers.")))
            .toList();

    public static final Command INSTALL = Command.define("hooks install", "Install Holdfast's hooks.")
            .description("""
            Existing hooks stay: an existing git hook runs first, an agent's other hooks run alongside ours. Installing \
            again changes nothing. Agent hooks do nothing while no broker is running; if one is, they are tested.""")
            .options(HOW)
            .examples("""
            holdfast hooks install --git
            holdfast hooks install --claude --codex
            holdfast hooks install --claude --project --guard-paths""")
            .runs(new Messages(invocation -> each(invocation, HooksCommands::install, AgentHooks::install)));

    public static final Command CHECK = Command.define(
                    "hooks check", "Check that Holdfast's hooks are installed and the broker answers.")
            .description("""
            Checks all that are installed, or those that you name. \
            If codex is on the PATH, it is asked whether it trusts them. Exit code 4: no hooks are installed. 1: a hook was changed, or \
            Codex does not run them. 7: no broker answers.""")
            .options(WHICH)
            .examples("holdfast hooks check", "holdfast hooks check --claude")
            .runs(new Messages(HooksCommands::checkEach));

    public static final Command UNINSTALL = Command.define(
                    "hooks uninstall", "Remove Holdfast's hooks and restore what was there before.")
            .options(WHICH)
            .examples("holdfast hooks uninstall --git", "holdfast hooks uninstall --claude --codex")
            .runs(new Messages(invocation -> each(invocation, HooksCommands::uninstall, AgentHooks::uninstall)));

    private interface RepositoryAction {
        ExitCode on(Repository repository, List<HookFile> hooks);
    }

    private interface AgentAction {
        ExitCode on(AgentHooks hooks);
    }

    private HooksCommands() {}

    /** Whether this host has our hooks, in the place that the options name. */
    public static boolean isInstalled(AgentHost host, Invocation invocation) {
        return AgentHooks.of(host, invocation).isInstalled();
    }

    /** Whether git has both of our hooks. */
    public static boolean isGateInstalled(Invocation invocation) {
        return onGit(
                        invocation,
                        (_, hooks) -> hooks.stream().allMatch(hook -> hook.state() == HookFile.State.OURS)
                                ? ExitCode.DONE
                                : ExitCode.NOT_FOUND)
                == ExitCode.DONE;
    }

    /** Without options, checks all hooks there are: for an agent, the user's and the project's. */
    private static ExitCode checkEach(Invocation invocation) {
        Arguments given = invocation.arguments();
        boolean named =
                given.has("--git") || Arrays.stream(AgentHost.values()).anyMatch(host -> given.has("--" + host));
        List<Command.Action> actions = new ArrayList<>();
        if (given.has("--git") || (!named && hasGitHooks(invocation))) {
            actions.add(HooksCommands::check);
        }
        for (AgentHost host : AgentHost.values()) {
            if (!named || given.has("--" + host)) {
                places(host, invocation, named)
                        .forEach(place ->
                                actions.add(_ -> AgentHooks.of(host, place).check()));
            }
        }
        if (actions.isEmpty()) {
            invocation
                    .shell()
                    .out()
                    .println("no hooks are installed; install them with 'holdfast init' or 'holdfast hooks install'");
            return ExitCode.NOT_FOUND;
        }
        return all(invocation, actions);
    }

    private static List<Invocation> places(AgentHost host, Invocation invocation, boolean named) {
        Arguments given = invocation.arguments();
        if (given.has("--user") || given.has("--project")) {
            return List.of(invocation);
        }
        Map<String, List<String>> options = new LinkedHashMap<>(given.options());
        options.put("--project", List.of());
        Invocation ofProject = new Invocation(new Arguments(options, given.parameters()), invocation.shell());
        List<Invocation> found = Stream.of(invocation, ofProject)
                .filter(place -> isInstalled(host, place))
                .toList();
        return found.isEmpty() && named ? List.of(invocation) : found;
    }

    private static boolean hasGitHooks(Invocation invocation) {
        try {
            return onGit(
                            invocation,
                            (_, hooks) -> hooks.stream()
                                            .map(HookFile::state)
                                            .anyMatch(state ->
                                                    state == HookFile.State.OURS || state == HookFile.State.EDITED)
                                    ? ExitCode.DONE
                                    : ExitCode.NOT_FOUND)
                    == ExitCode.DONE;
        } catch (Failure outside) {
            return false;
        }
    }

    /** Applies it to all that were named; returns the first exit code that is not 0. */
    private static ExitCode each(Invocation invocation, Command.Action git, AgentAction agent) {
        Arguments given = invocation.arguments();
        List<Command.Action> actions = new ArrayList<>();
        if (given.has("--git")) {
            actions.add(git);
        }
        for (AgentHost host : AgentHost.values()) {
            if (given.has("--" + host)) {
                actions.add(asked -> agent.on(AgentHooks.of(host, asked)));
            }
        }
        if (actions.isEmpty()) {
            throw Failure.invalid("choose at least one of --git, --claude, --codex");
        }
        return all(invocation, actions);
    }

    private static ExitCode all(Invocation invocation, List<Command.Action> actions) {
        ExitCode first = ExitCode.DONE;
        for (Command.Action action : actions) {
            ExitCode code = actions.size() == 1 ? action.run(invocation) : runAlone(invocation, action);
            first = first == ExitCode.DONE ? code : first;
        }
        return first;
    }

    /** A problem with one of them must not prevent checking the others. */
    private static ExitCode runAlone(Invocation invocation, Command.Action action) {
        try {
            return action.run(invocation);
        } catch (Failure failure) {
            invocation.shell().err().println("holdfast: " + failure.text());
            return ExitCode.of(failure.code());
        }
    }

    private static ExitCode install(Invocation invocation) {
        PrintStream out = invocation.shell().out();
        return onGit(invocation, (repository, hooks) -> {
            if (repository.sharesHooks()) {
                throw Failure.invalid(
                        "core.hooksPath in your own or the system's git config makes all repositories share their hooks, so the"
                                + " gate would be in all of them. Give this repository its own: git config core.hooksPath .git/hooks");
            }
            refuseElsewhere(repository);
            String program = Program.path(invocation.shell());
            for (HookFile hook : hooks) {
                boolean changed = hook.install(program, invocation.arguments().text("--url"));
                out.println((changed ? "installed " : "in place: ")
                        + hook.path()
                        + (hook.hasFormer() ? ", which first calls " + hook.former() : ""));
            }
            out.println("project: " + Printable.of(project(invocation, repository)));
            return ExitCode.DONE;
        });
    }

    private static void refuseElsewhere(Repository repository) {
        repository.hooksElsewhere().ifPresent(folder -> {
            throw Failure.invalid("this repository's git settings, or a link in it, put its hooks into "
                    + Printable.of(folder.toString())
                    + ", which is outside of it, so nothing was changed. Give it its own: git config core.hooksPath"
                    + " .git/hooks (and no link there); or call 'holdfast gate' from your own hooks in that folder");
        });
    }

    /** Git's hooks folder, for a plan; refuses places where no gate is installed. */
    public static Path gateFolder(Invocation invocation) {
        List<Path> found = new ArrayList<>();
        onGit(invocation, (repository, _) -> {
            refuseElsewhere(repository);
            found.add(repository.hooks());
            return ExitCode.DONE;
        });
        return found.getFirst();
    }

    private static ExitCode uninstall(Invocation invocation) {
        PrintStream out = invocation.shell().out();
        return onGit(invocation, (repository, hooks) -> {
            if (hooks.stream().anyMatch(hook -> hook.state() == HookFile.State.OURS)) {
                refuseElsewhere(repository);
            }
            for (HookFile hook : hooks) {
                boolean former = hook.hasFormer();
                if (hook.uninstall()) {
                    out.println("removed " + hook.path() + (former ? " and restored what was there before" : ""));
                } else {
                    out.println("not installed: " + hook.path());
                }
            }
            return ExitCode.DONE;
        });
    }

    private static ExitCode check(Invocation invocation) {
        PrintStream out = invocation.shell().out();
        return onGit(invocation, (repository, hooks) -> {
            int inPlace = 0;
            int changed = 0;
            for (HookFile hook : hooks) {
                HookFile.State state = hook.state();
                inPlace += state == HookFile.State.OURS ? 1 : 0;
                changed += state == HookFile.State.EDITED ? 1 : 0;
                out.println(hook.path() + ": " + description(state, hook));
            }
            out.println("project: " + Printable.of(project(invocation, repository)));
            if (changed > 0) {
                return ExitCode.FAILED;
            }
            if (inPlace == 0) {
                return ExitCode.NOT_FOUND;
            }
            Optional<String> other = hooks.stream()
                    .flatMap(hook -> hook.url().stream())
                    .filter(url -> !isOf(invocation, url))
                    .findFirst();
            if (other.isPresent()) {
                out.println("these hooks ask " + Printable.of(other.get()) + ", not "
                        + invocation.broker().http().address()
                        + "; to change that, run 'holdfast hooks install --git' (with --url for an address that is always"
                        + " asked), or check them with --url");
                return ExitCode.FAILED;
            }
            invocation.broker().openapi();
            out.println("the broker answers");
            return ExitCode.DONE;
        });
    }

    private static boolean isOf(Invocation invocation, String url) {
        try {
            return Address.parse(url).equals(invocation.broker().http().address());
        } catch (IllegalArgumentException notAnAddress) {
            return false;
        }
    }

    /** The broker's key for it, which distinguishes projects with the same name; without a broker, its own name. */
    private static String project(Invocation invocation, Repository repository) {
        try {
            return invocation.broker().repository().orElseGet(repository::project);
        } catch (Failure unknown) {
            return repository.project();
        }
    }

    private static String description(HookFile.State state, HookFile hook) {
        return switch (state) {
            case NOTHING -> "not installed";
            case FOREIGN -> "not installed; another hook is there" + (hook.hasFormer() ? ", which replaced ours" : "");
            case OURS -> "in place" + (hook.hasFormer() ? ", first calls " + hook.former() : "");
            case EDITED -> "changed since it was installed, or not executable";
        };
    }

    private static ExitCode onGit(Invocation invocation, RepositoryAction action) {
        Arguments given = invocation.arguments();
        try {
            Repository repository = Repository.of(
                    invocation.shell().folder(), invocation.shell().environment());
            Path folder = repository.hooks();
            boolean all = !given.has("--pre-commit") && !given.has("--pre-push");
            List<HookFile> hooks = Arrays.stream(HookFile.Hook.values())
                    .filter(hook -> all || given.has("--" + hook))
                    .map(hook -> new HookFile(folder, hook))
                    .toList();
            return action.on(repository, hooks);
        } catch (GitFailure e) {
            throw Repository.isMissing(e) || e.kind() == GitFailure.Kind.UNTRUSTED
                    ? Failure.invalid(e.text())
                    : Failure.failed(e.text(), e);
        }
    }
}
