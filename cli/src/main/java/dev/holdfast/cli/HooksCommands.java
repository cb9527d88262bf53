package dev.holdfast.cli;

import dev.holdfast.cli.git.GitFailure;
import dev.holdfast.cli.git.HookFile;
import dev.holdfast.cli.git.Repository;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Puts Holdfast's hooks into other programs, looks after them, takes them away. */
final class HooksCommands {
    private static final List<Option> WHICH = List.of(
            Option.flag("--git", "The gate, in the git repository of this folder."),
            Option.flag("--pre-commit", "With --git: only the hook that is run before a commit."),
            Option.flag("--pre-push", "With --git: only the hook that is run before a push."));

    static final Command INSTALL = new Command(
            "hooks install",
            "Put Holdfast's hooks in place.",
            """
            A hook that is there already is kept beside ours and called first. Installing again changes nothing.""",
            List.of(),
            WHICH,
            List.of("holdfast hooks install --git", "holdfast hooks install --git --pre-push"),
            HooksCommands::install);

    static final Command CHECK = new Command(
            "hooks check",
            "See whether Holdfast's hooks are in place and the broker answers.",
            """
            Exit code 4: none is there. 1: one was changed. 7: no broker answers.""",
            List.of(),
            WHICH,
            List.of("holdfast hooks check --git"),
            HooksCommands::check);

    static final Command UNINSTALL = new Command(
            "hooks uninstall",
            "Take Holdfast's hooks away again; everything is as it was before.",
            "",
            List.of(),
            WHICH,
            List.of("holdfast hooks uninstall --git"),
            HooksCommands::uninstall);

    private interface Deed {
        ExitCode on(Repository repository, List<HookFile> hooks);
    }

    private HooksCommands() {}

    private static ExitCode install(Invocation invocation) {
        PrintStream out = invocation.shell().out();
        return onGit(invocation, (repository, hooks) -> {
            if (repository.sharesHooks()) {
                throw Failure.invalid(
                        "core.hooksPath of your own or the system's git config sends every repository to the same hooks, and"
                                + " the gate would be in all of them. Give this one its own: git config core.hooksPath .git/hooks");
            }
            String program = Program.path(invocation.shell());
            for (HookFile hook : hooks) {
                boolean changed = hook.install(program);
                out.println((changed ? "installed " : "in place: ")
                        + hook.path()
                        + (hook.hasFormer() ? ", which first calls " + hook.former() : ""));
            }
            out.println("project: " + Printable.of(project(repository)));
            return ExitCode.DONE;
        });
    }

    private static ExitCode uninstall(Invocation invocation) {
        PrintStream out = invocation.shell().out();
        return onGit(invocation, (_, hooks) -> {
            for (HookFile hook : hooks) {
                boolean former = hook.hasFormer();
                if (hook.uninstall()) {
                    out.println("removed " + hook.path() + (former ? " and put back what was there before" : ""));
                } else {
                    out.println("not there: " + hook.path());
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
                out.println(hook.path() + ": " + told(state, hook));
            }
            out.println("project: " + Printable.of(project(repository)));
            if (changed > 0) {
                return ExitCode.FAILED;
            }
            if (inPlace == 0) {
                return ExitCode.NOT_FOUND;
            }
            invocation.broker().openapi();
            out.println("the broker answers");
            return ExitCode.DONE;
        });
    }

    private static String told(HookFile.State state, HookFile hook) {
        return switch (state) {
            case NOTHING -> "not installed";
            case FOREIGN ->
                "not installed; another hook is there" + (hook.hasFormer() ? ", and took the place of ours" : "");
            case OURS -> "in place" + (hook.hasFormer() ? ", first calls " + hook.former() : "");
            case EDITED -> "changed since it was installed, or not executable";
        };
    }

    private static String project(Repository repository) {
        return repository.config("holdfast.project").orElseGet(repository::name);
    }

    private static ExitCode onGit(Invocation invocation, Deed deed) {
        Arguments given = invocation.arguments();
        if (!given.has("--git")) {
            throw Failure.invalid("hooks of what? Say --git");
        }
        try {
            Repository repository =
                    Repository.of(GateCommand.here(), invocation.shell().environment());
            Path folder = repository.hooks();
            boolean all = !given.has("--pre-commit") && !given.has("--pre-push");
            List<HookFile> hooks = Arrays.stream(HookFile.Hook.values())
                    .filter(hook -> all || given.has("--" + hook))
                    .map(hook -> new HookFile(folder, hook))
                    .toList();
            return deed.on(repository, hooks);
        } catch (GitFailure e) {
            throw Failure.failed(e.text(), e);
        }
    }
}
