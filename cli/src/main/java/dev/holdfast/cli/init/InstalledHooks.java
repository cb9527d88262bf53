package dev.holdfast.cli.init;

import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.hooks.HooksCommands;
import dev.holdfast.cli.terminal.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The hooks that {@code init} installs: those of {@code holdfast hooks install} that are not there yet. */
final class InstalledHooks {
    private static final String GIT = InitRecord.GATE;

    private final Invocation invocation;
    private final Map<String, String> missing = new LinkedHashMap<>();

    private InstalledHooks(Invocation invocation) {
        this.invocation = invocation;
    }

    static InstalledHooks of(Invocation invocation, List<Host> hosts) {
        InstalledHooks hooks = new InstalledHooks(invocation);
        if (!invocation.arguments().has("--no-hooks")) {
            for (Host host : hosts) {
                if (host.hooks != null && !HooksCommands.isInstalled(host.hooks, hooks.asked(host.toString()))) {
                    hooks.missing.put(
                            host.toString(),
                            "install " + host.title + "'s hooks in this project: sessions, heartbeats, notices");
                }
            }
        }
        if (!invocation.arguments().has("--no-gate") && !HooksCommands.isGateInstalled(hooks.asked(GIT))) {
            hooks.missing.put(
                    GIT,
                    "install the gate (git's pre-commit and pre-push) in "
                            + Printable.of(
                                    HooksCommands.gateFolder(hooks.asked(GIT)).toString())
                            + ": only approved changes pass");
        }
        return hooks;
    }

    List<String> plan() {
        return List.copyOf(missing.values());
    }

    void install(InitRecord record) {
        for (String name : missing.keySet()) {
            record.addHooks(name);
            run(HooksCommands.INSTALL, asked(name));
        }
    }

    static void uninstall(Invocation invocation, InitRecord record, OtherWorkingTrees others) {
        InstalledHooks hooks = new InstalledHooks(invocation);
        for (String name : List.copyOf(record.hooks()).reversed()) {
            OtherWorkingTrees.Tree heir = name.equals(GIT) ? others.needing(GIT).orElse(null) : null;
            if (heir == null) {
                run(HooksCommands.UNINSTALL, hooks.asked(name));
            } else {
                heir.record().addHooks(name);
                invocation.shell().out().println("kept the gate: " + heir.top() + " needs it, too");
            }
        }
    }

    private static void run(Command command, Invocation asked) {
        command.action().run(asked);
    }

    /** As if the user had typed the command. */
    private Invocation asked(String name) {
        Map<String, List<String>> options = new LinkedHashMap<>();
        options.put("--" + name, List.of());
        if (!name.equals(GIT)) {
            options.put("--project", List.of());
        }
        List<String> url = invocation.arguments().all("--url");
        if (!url.isEmpty()) {
            options.put("--url", new ArrayList<>(url));
        }
        return new Invocation(new Arguments(options, List.of()), invocation.shell());
    }
}
